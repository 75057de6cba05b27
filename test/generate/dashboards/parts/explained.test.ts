import { describe, expect, it } from "vitest";
import { unexplained } from "../../../../generate/dashboards/parts/explained.ts";
import { evaluated } from "./evaluated.ts";

const alert = (name: string, labels: string, state = "firing") =>
  `ALERTS{alertname="${name}",alertstate="${state}",job="j",instance="i",network="n",${labels}} 1`;
const FIRING = 'ALERTS{alertname=~"Avax.+",alertstate="firing"}';

function left(lines: readonly string[]): readonly string[] {
  return evaluated(unexplained(FIRING), lines)
    .map(({ labels }) => `${labels["alertname"] ?? ""} ${labels["node"] ?? ""}`)
    .sort();
}

describe("firing alerts without those that another one explains", () => {
  it("keep the cause and what fires on other nodes", () => {
    const found = left([
      alert("AvaxNodeDown", 'node="a"'),
      alert("AvaxNodeUnhealthy", 'node="a"'),
      alert("AvaxNodeUnhealthy", 'node="b"'),
    ]);
    expect(found).toEqual(["AvaxNodeDown a", "AvaxNodeUnhealthy b"]);
  });

  it("keep what an alert would explain that is only pending", () => {
    const found = left([alert("AvaxNodeDown", 'node="a"', "pending"), alert("AvaxNodeUnhealthy", 'node="a"')]);
    expect(found).toEqual(["AvaxNodeUnhealthy a"]);
  });

  it("leave out what a lost quorum of the Primary Network explains, not what one of an L1 would", () => {
    const stalled = alert("AvaxPlatformStalled", "");
    expect(left([alert("AvaxSubnetQuorumLost", 'subnet="primary"'), stalled])).toEqual(["AvaxSubnetQuorumLost "]);
    expect(left([alert("AvaxSubnetQuorumLost", 'subnet="l1"'), stalled])).toEqual([
      "AvaxPlatformStalled ",
      "AvaxSubnetQuorumLost ",
    ]);
  });

  it("is short enough for a query", () => {
    expect(unexplained(FIRING).length).toBeLessThan(13_500);
  });
});
