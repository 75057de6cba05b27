import { describe, expect, it } from "vitest";
import { loadConfig } from "../../../src/config/load-config.ts";
import { configured } from "../../../src/daemon/load-settings.ts";
import { nodeSources } from "../../../src/config/read/sources.ts";

describe("labels_on_series", () => {
  const problems = (labels: string) => {
    const text = `nodes:\n  - { name: a, url: "http://a:9650", labels: { region: eu } }\nlabels_on_series: ${labels}\n`;
    const result = configured("c.yaml", { env: {}, hostname: "host" }, false, {
      ...nodeSources({}),
      readFile: () => text,
    });
    return result.ok ? [] : result.problems.map(({ line, column, message }) => `${line}:${column}: ${message}`);
  };

  it("accepts names of labels", () => {
    expect(problems("[region, data_center]")).toEqual([]);
    expect(problems("[]")).toEqual([]);
  });

  it("rejects names that are not labels, and labels that the exporter or Prometheus sets", () => {
    expect(problems("[a-b, __name, node, job, chain, state, 7]")).toHaveLength(7);
    expect(problems("[chain]")).toEqual([
      '3:20: labels_on_series[0] must be a label that neither the exporter nor Prometheus sets; found "chain"',
    ]);
  });
});

describe("proxy_url", () => {
  const load = (proxy: string) => {
    const text = `nodes:\n  - { name: a, url: "http://a:9650", proxy_url: "${proxy}", no_proxy: .internal }\n`;
    return loadConfig("c.yaml", [], {
      ...nodeSources({ HTTPS_PROXY: "http://me:s3cr3t@proxy:3128" }),
      readFile: () => text,
    });
  };

  it("comes from the environment with its credentials, which are not displayed", () => {
    const result = load("${HTTPS_PROXY}");
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    const [node] = result.loaded.config.nodes;
    expect([node?.proxyUrl, node?.noProxy]).toEqual(["http://me:s3cr3t@proxy:3128", ".internal"]);
    expect(result.loaded.masked()).toContain("proxy_url: http://<secret>@proxy:3128\n");
    expect(result.loaded.masked()).not.toContain("s3cr3t");
  });

  it.each(["me:s3cr3t@proxy:3128", "socks5://me:s3cr3t@proxy", "http://me:s3cr3t@proxy/path", ""])(
    "cannot be %j, which is not displayed either",
    (proxy) => {
      const result = load(proxy);
      const messages = result.ok ? [] : result.problems.map(({ message }) => message);
      expect(messages).toEqual([
        "proxy_url must be the URL of a proxy such as http://proxy.example.org:3128, with a user name and a password or without",
      ]);
    },
  );
});

it("standby_of names another node of the file", () => {
  const load = (main: string) => {
    const text = `nodes:\n  - { name: main, url: "http://a" }\n  - { name: spare, url: "http://b", standby_of: ${main} }\n`;
    const result = loadConfig("c.yaml", [], { ...nodeSources({}), readFile: () => text });
    return result.ok ? result.loaded.config.nodes[1]?.standbyOf : result.problems.map(({ message }) => message);
  };
  expect(load("main")).toBe("main");
  expect(load("man")).toEqual(['standby_of names "man", which is no other node; did you mean "main"?']);
  expect(load("spare")).toEqual(['standby_of names "spare", which is no other node']);
});
