import { describe, expect, it } from "vitest";
import { infoMethods } from "../../../src/api/node/info.ts";

import { polling } from "../../../src/topics/exporter/polling.ts";
import { acps, txFees } from "../../../src/topics/network/upgrades.ts";
import { subnetUptime, uptime } from "../../../src/topics/validators/uptime.ts";

import { S1, SUBNETS } from "../../support/local-network.ts";
import { recordedInfo as info } from "../../support/recordings.ts";
import { contextOf, readTopic } from "../../support/topics.ts";

const context = contextOf({ subnets: SUBNETS });
const object = (samples: ReadonlyMap<string, number>) => Object.fromEntries(samples);

describe("uptime", () => {
  it("is absent for a node that is no validator", () => {
    expect(object(readTopic(uptime, { answer: "not_a_validator" }, context))).toEqual({ avax_node_is_validator: 0 });
    const answers = new Map<string, unknown>([
      [S1, info("local-healthy-validator", "uptime")],
      ["other", "not_a_validator"],
    ]);
    expect(object(readTopic(subnetUptime, { answers }, context))).toEqual({
      [`avax_subnet_uptime_rewarding_stake_ratio{subnet="${S1}"}`]: 1,
      [`avax_subnet_uptime_weighted_average_ratio{subnet="${S1}"}`]: 0.991999,
    });
  });
});

describe("upgrades, proposals and fees", () => {
  it("have no stake without votes", () => {
    expect(readTopic(acps, { answer: infoMethods.acps.result.parse({ acps: null }) }, context)).toEqual(new Map());
    expect(
      readTopic(txFees, { fees: info("local-fresh-network", "getTxFee") }, context).get(
        'avax_tx_fee_avax{kind="txFee"}',
      ),
    ).toBe(0.001);
  });
});

describe("polling", () => {
  it("exports the record, and counters of 0 before the first poll", () => {
    const failures = new Map([["timeout", 2]] as const);
    const polled = { optional: false, supported: true, lastSuccess: undefined, up: undefined, failures: new Map() };
    const endpoints = [
      { ...polled, id: "health", every: 15, up: false, lastSuccess: 1000.5, failures },
      { ...polled, id: "extra", every: 60, optional: true, supported: false, invalidRows: 4 },
      { ...polled, id: "fine", every: 60, optional: true, up: true, invalidRows: 0 },
    ];
    expect(
      object(
        readTopic(
          polling,
          {
            record: {
              up: true,
              missed: { running: 3, overloaded: 1, descriptors: 2 },
              polls: 10,
              seconds: 1.75,
              failures,
              endpoints,
            },
          },
          context,
        ),
      ),
    ).toEqual({
      avax_node_up: 1,
      avax_node_overdue_seconds: 0,
      'avax_endpoint_up{api_endpoint="health"}': 0,
      'avax_endpoint_up{api_endpoint="fine"}': 1,
      'avax_endpoint_unsupported{api_endpoint="extra"}': 1,
      'avax_endpoint_last_success_timestamp_seconds{api_endpoint="health"}': 1000.5,
      avax_poll_duration_seconds_sum: 1.75,
      avax_poll_duration_seconds_count: 10,
      'avax_poll_rows_invalid_total{api_endpoint="extra"}': 4,
      avax_polls_failed_total: 2,
      'avax_poll_failures_total{reason="timeout"}': 2,
      'avax_polls_missed_total{reason="running"}': 3,
      'avax_polls_missed_total{reason="overloaded"}': 1,
      'avax_polls_missed_total{reason="descriptors"}': 2,
    });
    expect(
      readTopic(
        polling,
        { record: { up: undefined, missed: {}, polls: 0, seconds: 0, failures: new Map(), endpoints: [] } },
        context,
      ),
    ).toEqual(
      new Map([
        ["avax_poll_duration_seconds_sum", 0],
        ["avax_poll_duration_seconds_count", 0],
        ["avax_polls_failed_total", 0],
      ]),
    );
  });
});
