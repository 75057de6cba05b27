import { goTime } from "../encoding/gotime.ts";
import { since, type View } from "./wire.ts";

/** The upgrade schedule of info.upgrades. */

/** All upgrades of a local network are active from the start. */
const LOCAL_TIME = "2020-12-05T05:00:00Z";

/** Upgrades before Helicon, in the order of a node. */
const MAINNET = {
  apricotPhase1Time: "2021-03-31T14:00:00Z",
  apricotPhase2Time: "2021-05-10T11:00:00Z",
  apricotPhase3Time: "2021-08-24T14:00:00Z",
  apricotPhase4Time: "2021-09-22T21:00:00Z",
  apricotPhase4MinPChainHeight: 793005,
  apricotPhase5Time: "2021-12-02T18:00:00Z",
  apricotPhasePre6Time: "2022-09-05T01:30:00Z",
  apricotPhase6Time: "2022-09-06T20:00:00Z",
  apricotPhasePost6Time: "2022-09-07T03:00:00Z",
  banffTime: "2022-10-18T16:00:00Z",
  cortinaTime: "2023-04-25T15:00:00Z",
  cortinaXChainStopVertexID: "jrGWDh5Po9FMj54depyunNixpia5PN4aAYxfmNzU8n752Rjga",
  durangoTime: "2024-03-06T16:00:00Z",
  etnaTime: "2024-12-16T17:00:00Z",
  fortunaTime: "2025-04-08T15:00:00Z",
  graniteTime: "2025-11-19T16:00:00Z",
};

type Upgrade = keyof typeof MAINNET;
const EARLY = Object.keys(MAINNET) as readonly Upgrade[];

const LOCAL: Readonly<Partial<Record<Upgrade, string | number>>> = {
  apricotPhase4MinPChainHeight: 0,
  cortinaXChainStopVertexID: "11111111111111111111111111111111LpoYY",
};

/** First release with a key, for the newer keys. */
const INTRODUCED: Readonly<Partial<Record<Upgrade, string>>> = { fortunaTime: "1.13.0", graniteTime: "1.14.0" };

/** All keys in the order of a node. @param helicon Unix seconds */
export function schedule(view: View, helicon: number): Readonly<Record<string, string | number>> {
  const mainnet = view.network.world.settings.network.id === 1;
  const times: typeof LOCAL = mainnet ? MAINNET : LOCAL;
  const sent = EARLY.filter((key) => view.dialect === "spec" || since(view, INTRODUCED[key] ?? "1.11.11"));
  return {
    ...Object.fromEntries(sent.map((key) => [key, times[key] ?? LOCAL_TIME])),
    ...(since(view, "1.14.0") ? { graniteEpochDuration: mainnet ? 300_000_000_000 : 30_000_000_000 } : {}),
    ...(view.dialect === "spec" || since(view, "1.14.1") ? { heliconTime: goTime(helicon * 1000) } : {}),
  };
}
