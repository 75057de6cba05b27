import { BytesIEC, PercentUnit } from "@grafana/grafana-foundation-sdk/units";
import { LOW_DISK_RATIO, nodeNetwork } from "../../../src/topics/node/network.ts";
import { where } from "../../../src/topics/define/selector.ts";
import type { Row } from "../parts/panel-options.ts";
import { redBelow } from "../parts/thresholds.ts";
import { lines } from "../parts/panels.ts";
import { NODE } from "../parts/selectors.ts";

const { metrics: own } = nodeNetwork;
const free = where(own.diskBytes, NODE);
const WEEK = 7 * 86_400;
/** The trend of a day that is not over yet would be that of a few minutes. */
const inAWeek = `clamp_min(predict_linear(${free}[1d], ${WEEK}), 0) and ${free} offset 23h`;

export const diskRow: Row = {
  id: 500,
  title: "Disk",
  collapsed: true,
  panels: [
    lines(
      {
        id: 501,
        title: "Free disk (share)",
        about: "Free share of the database's disk. The node shuts down below 3 %.",
        width: 12,
        unit: PercentUnit,
        thresholds: redBelow(LOW_DISK_RATIO),
        alerts: ["AvaxNodeDiskLow", "AvaxNodeDiskFilling", "AvaxNodeDiskFull"],
      },
      [[where(own.diskRatio, NODE), "{{node}}"]],
    ),
    lines(
      {
        id: 502,
        title: "Free disk (bytes)",
        about:
          "Free bytes on the database's disk now, and in a week at the last day's trend. 0: full by then. The trend is unknown until there is a day of data.",
        width: 12,
        unit: BytesIEC,
        alerts: ["AvaxNodeDiskLow", "AvaxNodeDiskFilling", "AvaxNodeDiskFull"],
      },
      [
        [free, "{{node}}"],
        [inAWeek, "{{node}} in a week"],
      ],
    ),
  ],
};
