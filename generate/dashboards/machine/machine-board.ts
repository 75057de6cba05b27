import { PercentUnit } from "@grafana/grafana-foundation-sdk/units";
import { FULL_DISK_RATIO, LITTLE_DISK_RATIO } from "../../../src/topics/node/node-disk.ts";
import { redOrangeBelow } from "../parts/format.ts";
import { lines, type Row } from "../parts/panels.ts";
import type { Board } from "../parts/board.ts";

/** Disks of the machine, without file systems in memory and those of containers and packages. */
const DISKS = 'fstype!~"tmpfs|ramfs|overlay|squashfs|nsfs|autofs|fuse.*"';
const RATE = "[$__rate_interval]";

const machineRow: Row = {
  title: "Machine",
  panels: [
    lines(
      "Free space",
      "Which disk is full? Free share of each disk of the machine, by its folder. AvalancheGo shuts down below 3 %.",
      [`node_filesystem_avail_bytes{${DISKS}} / node_filesystem_size_bytes{${DISKS}}`, "{{instance}} {{mountpoint}}"],
      { unit: PercentUnit, width: 12, thresholds: redOrangeBelow(FULL_DISK_RATIO, LITTLE_DISK_RATIO) },
    ),
    lines(
      "Disk busy",
      "Is a disk too slow for the node? Share of the time in which each disk had requests. At 100 % the node waits for it.",
      [`rate(node_disk_io_time_seconds_total${RATE})`, "{{instance}} {{device}}"],
      { unit: PercentUnit, width: 12 },
    ),
    lines(
      "Memory in use",
      "Does the machine run out of memory? Share of the memory that programs cannot get.",
      ["1 - node_memory_MemAvailable_bytes / node_memory_MemTotal_bytes", "{{instance}}"],
      { unit: PercentUnit, width: 12 },
    ),
    lines(
      "Processors in use",
      "Does the machine run out of processor time? Share of the time in which its processors worked.",
      [
        `1 - avg by (instance) (sum without (mode) (rate(node_cpu_seconds_total{mode=~"idle|iowait"}${RATE})))`,
        "{{instance}}",
      ],
      { unit: PercentUnit, width: 12 },
    ),
  ],
};

/** Of the stack alone: the figures are those of node_exporter, which most users have boards for already. */
export const MACHINE_BOARD: Board = {
  uid: "avax-machine",
  title: "Machine",
  about: "The machine of the stack and of the node on it: disks, memory and processors, from node_exporter.",
  variables: [],
  rows: [machineRow],
};
