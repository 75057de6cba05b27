import { BytesIEC, PercentUnit } from "@grafana/grafana-foundation-sdk/units";
import { LOW_DISK_RATIO, nodeNetwork } from "../../../src/topics/node/network.ts";
import { type Row, lines } from "../parts/panels.ts";
import { redBelow } from "../parts/format.ts";
import { NODE, select } from "../parts/selectors.ts";

const of = select(NODE);
const { metrics: own } = nodeNetwork;
const free = of(own.diskBytes);
const WEEK = 7 * 86_400;
/** The trend of a day that is not over yet would be that of a few minutes. */
const inAWeek = `clamp_min(predict_linear(${free}[1d], ${WEEK}), 0) and ${free} offset 23h`;

export const diskRow: Row = {
  title: "Disk",
  collapsed: true,
  panels: [
    lines(
      "Free disk (share)",
      "Free share of the database's disk. The node shuts down below 3 %.",
      [of(own.diskRatio), "{{node}}"],
      {
        unit: PercentUnit,
        thresholds: redBelow(LOW_DISK_RATIO),
        alerts: ["AvaxNodeDiskLow", "AvaxNodeDiskFilling", "AvaxNodeDiskFull"],
      },
    ),
    lines(
      "Free disk (bytes)",
      "Free bytes on the database's disk now, and in a week at the last day's trend. 0: full by then. The trend is unknown until there is a day of data.",
      [
        [free, "{{node}}"],
        [inAWeek, "{{node}} in a week"],
      ],
      { unit: BytesIEC, alerts: ["AvaxNodeDiskLow", "AvaxNodeDiskFilling", "AvaxNodeDiskFull"] },
    ),
  ],
};
