import fc from "fast-check";

/** Arbitrary raw answers in the shapes of the specification. */

const uint64 = fc.oneof(
  fc.bigInt(0n, 2n ** 64n - 1n).map(String),
  fc.constantFrom("0", "18446744073709551615"),
  fc.nat(),
);
/** nAVAX. */
const navax = fc.oneof(fc.bigInt(0n, 10n ** 19n).map(String), fc.constantFrom("0", "10000000000000000000"), fc.nat());
const counted = fc.nat({ max: 1e9 });
const percent = fc.oneof(
  fc.nat(1_000_000).map((units) => (units / 10_000).toFixed(4)),
  fc.constantFrom("0", "100", 23, 100),
);
const time = fc.oneof(
  fc.constantFrom("0001-01-01T00:00:00Z", "2199-12-31T23:59:59Z", "2026-08-22T11:22:45.5-04:00"),
  fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => new Date(seconds * 1000).toISOString()),
);
/** A time that can be "never". */
const planned = fc.oneof(time, fc.constant("9999-12-01T00:00:00Z"));
const start = fc.nat().map(String);
const unix = fc.oneof(fc.nat().map(String), fc.constantFrom("0", "18446744073709551615"));
const duration = fc.constantFrom("0s", "312.5µs", "1m3.5s", "2h45m0s", "soon", `${"9".repeat(309)}h`, 5, null);
/** Untrusted names, including hostile ones. */
export const anyName = fc.oneof(
  fc.string(),
  fc.constantFrom("C", "P", "other", "constructor", "toString", "__proto__", 'a"\n\\{}', "\ud800", "x".repeat(500)),
);
const names = fc.oneof(fc.array(anyName, { maxLength: 5 }), fc.constant(null));
const loose = (value: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: fc.jsonValue() });

const message = fc.oneof(
  fc.record(
    {
      engine: loose(
        fc.record(
          {
            consensus: loose(
              fc.record(
                {
                  lastAcceptedHeight: loose(uint64),
                  processingBlocks: loose(uint64),
                  longestProcessingBlock: duration,
                  avgAcceptanceTime: duration,
                },
                { requiredKeys: [] },
              ),
            ),
          },
          { requiredKeys: [] },
        ),
      ),
      networking: loose(
        fc.record(
          { percentConnected: loose(fc.double({ min: 0, max: 1, noNaN: true })), disconnectedValidators: names },
          { requiredKeys: [] },
        ),
      ),
      connectedPeers: loose(uint64),
      sendFailRate: loose(percent),
      timeSinceLastMsgReceived: duration,
      timeSinceLastMsgSent: duration,
      availableDiskBytes: loose(uint64),
      availableDiskPercentage: loose(percent),
      longestRunningRequest: duration,
      outstandingRequests: loose(uint64),
      localUpgradeTime: loose(planned),
      modeUpgradeTime: loose(planned),
      modeUpgradeWeightPercentage: loose(percent),
    },
    { requiredKeys: [] },
  ),
  names,
  fc.jsonValue(),
);

const check = fc.record(
  {
    message,
    error: fc.jsonValue(),
    timestamp: time,
    duration: fc.nat(),
    contiguousFailures: uint64,
    timeOfFirstFailure: time,
  },
  { requiredKeys: [] },
);
const checkName = fc.oneof(
  fc.constantFrom("C", "P", "network", "diskspace", "router", "futureupgrade", "bootstrapped", "bls"),
  anyName,
);

export const anyReport = fc.record({
  healthy: fc.boolean(),
  checks: fc.oneof(fc.dictionary(checkName, check, { maxKeys: 12 }), fc.constant(null)),
});

const nodeID = fc.integer({ min: 0, max: 1_000_000 }).map((id) => `NodeID-${id}`);

export const anyPeers = fc.record({
  numPeers: counted,
  peers: fc.oneof(
    fc.uniqueArray(
      fc.record(
        {
          nodeID,
          version: anyName,
          lastSent: time,
          lastReceived: time,
          observedUptime: percent,
          trackedSubnets: names,
          benched: names,
          upgradeTime: uint64,
        },
        { requiredKeys: ["nodeID", "version", "lastSent", "lastReceived"] },
      ),
      { selector: (peer) => peer.nodeID, maxLength: 60 },
    ),
    fc.constant(null),
  ),
});

/** Records of every kind, with distinct node IDs. */
const owner = fc.oneof(
  fc.record({ locktime: uint64, threshold: uint64, addresses: loose(names) }, { requiredKeys: [] }),
  fc.jsonValue(),
);
export const anyValidators = fc.record({
  validators: fc.oneof(
    fc.uniqueArray(
      fc.record(
        {
          nodeID,
          weight: uint64,
          startTime: start,
          endTime: unix,
          uptime: percent,
          connected: fc.boolean(),
          validationRewardOwner: owner,
          delegationRewardOwner: owner,
          potentialReward: navax,
          accruedDelegateeReward: navax,
          delegationFee: percent,
          delegatorCount: counted,
          delegatorWeight: uint64,
          signer: fc.oneof(fc.constant(null), fc.record({ publicKey: fc.string() })),
          validationID: fc.uuid(),
          minNonce: uint64,
          balance: navax,
          nextPeriod: uint64,
          autoCompoundRewardShares: fc.nat(1_000_000).map(String),
          restakedValidationRewards: uint64,
          restakedDelegateeRewards: uint64,
        },
        { requiredKeys: ["nodeID", "weight", "startTime"] },
      ),
      { selector: (validator) => validator.nodeID, maxLength: 40 },
    ),
    fc.constant(null),
  ),
});
