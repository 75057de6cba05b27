import { CurrentSupply, PlatformTimestamp } from "../../api/node/platform-state.ts";
import { PRIMARY } from "../../api/node/platform.ts";
import { toAvax } from "../../api/wire.ts";
import { gauge, gauges } from "../define/metric.ts";
import { topic } from "../define/topic.ts";

export const supply = topic(
  {
    id: "supply",
    about: "What is the supply of AVAX and of each elastic subnet's staking asset?",
    scope: "network",
    needs: { supplies: CurrentSupply },
  },
  {
    avax: gauge(
      "avax_supply_avax",
      "Supply of AVAX, an upper bound because burnt fees are not subtracted (platform.getCurrentSupply, `supply`).",
      ({ supplies }) => {
        const found = supplies.get(PRIMARY)?.supply;
        return found === undefined ? undefined : toAvax(found);
      },
    ),
    subnet: gauges(
      "avax_subnet_supply",
      "Supply of an elastic subnet's staking asset in its smallest unit; absent for permissioned subnets and L1s, which have no such asset (platform.getCurrentSupply, `supply`).",
      ["subnet"],
      ({ supplies }) =>
        [...supplies]
          .filter(([subnet]) => subnet !== PRIMARY)
          .map(([subnet, { supply }]) => [{ subnet }, supply === undefined ? undefined : Number(supply)]),
    ),
  },
);

export const platformClock = topic(
  {
    id: "platform-clock",
    about: "What is the P-Chain time on this node?",
    scope: "node",
    needs: { clock: PlatformTimestamp },
  },
  {
    clock: gauge(
      "avax_platform_clock_timestamp_seconds",
      "P-Chain time, which advances only with its blocks: balances and fees refer to it (platform.getTimestamp, `timestamp`).",
      ({ clock }) => clock.timestamp,
    ),
  },
);
