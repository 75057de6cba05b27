import { bootstrapped, chains, platformHeight } from "./chains.ts";
import { health } from "./health.ts";
import { blsKey, chainIds, identity, nodeChanges, nodeLabels, publicIp, vms } from "./identity.ts";
import { l1Validator } from "./l1-validator.ts";
import { lag } from "./lag.ts";
import type { Topic } from "./metric.ts";
import { nodeNetwork } from "./node-network.ts";
import { peers } from "./peers.ts";
import { polling } from "./polling.ts";
import { liveness, readiness, subnetHealth } from "./readiness.ts";
import { speaker } from "./speaker.ts";
import { subnetUptime, uptime } from "./uptime.ts";
import { acps, txFees, upgrades } from "./upgrades.ts";
import { validator } from "./validator.ts";
import { validatorView } from "./validator-view.ts";
import { validators } from "./validators.ts";

/** The catalogue: every topic, in the order in which its families appear on `/metrics`. */
export const TOPICS: readonly Topic[] = [
  nodeLabels,
  polling,
  identity,
  nodeChanges,
  blsKey,
  publicIp,
  vms,
  chainIds,
  health,
  readiness,
  liveness,
  subnetHealth,
  bootstrapped,
  chains,
  platformHeight,
  lag,
  nodeNetwork,
  peers,
  uptime,
  subnetUptime,
  speaker,
  upgrades,
  acps,
  txFees,
  validators,
  validator,
  validatorView,
  l1Validator,
];
