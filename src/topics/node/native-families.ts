/** A family of a node's own `/ext/metrics`, with its own labels; the scrape job of `/sd` adds `node` and `network`. */
function family<const L extends string = never>(name: string, labels: readonly L[] = [], helicon?: "before" | "since") {
  return { name: `avalanche_${name}`, labels, helicon };
}
const byChain = (name: string, helicon?: "before" | "since") => family(name, ["chain"], helicon);
const ofExecution = (name: string) => byChain(`evm_transition_sae_${name}`, "since");

/** Families of AvalancheGo that dashboards show and rules read. A test compares them with a recording of a node. */
export const NATIVE_FAMILIES = {
  // Messages that wait for one of the throttlers, in this order.
  waitingForBytes: family("network_byte_throttler_inbound_awaiting_acquire"),
  waitingForBuffer: family("network_buffer_throttler_inbound_awaiting_acquire"),
  waitingForBandwidth: family("network_bandwidth_throttler_inbound_awaiting_acquire"),
  waitingForCpu: family("network_cpu_throttler_awaiting_acquire"),
  waitingForDisk: family("network_disk_throttler_awaiting_acquire"),
  cpuWaits: family("network_cpu_throttler_total_waits"),
  cpuPasses: family("network_cpu_throttler_total_no_waits"),
  diskWaits: family("network_disk_throttler_total_waits"),
  diskPasses: family("network_disk_throttler_total_no_waits"),
  outboundDropped: family("network_throttler_outbound_acquire_failures"),
  outboundSent: family("network_throttler_outbound_acquire_successes"),
  pollsSuccessful: byChain("snowman_polls_successful"),
  pollsFailed: byChain("snowman_polls_failed"),
  /** Nanoseconds. */
  pollTime: byChain("snowman_poll_duration_sum"),
  pollTimes: byChain("snowman_poll_duration_count"),
  validators: byChain("stake_num_validators"),
  badBlocks: byChain("evm_eth_chain_block_bad_count", "before"),
  badBlocksOfPlugins: byChain("subnetevm_vm_eth_chain_block_bad_count"),
  // LevelDB alone: AvalancheGo exports no such family with PebbleDB.
  databaseSize: family("db_size", ["level"]),
  /** Nanoseconds, cumulative, though it is a gauge. */
  delayedTime: family("db_writes_delayed_duration"),
  // With either database.
  databaseCalls: family("meterdb_calls", ["chain", "method"]),
  /** Nanoseconds, cumulative, though it is a gauge. */
  databaseTime: family("meterdb_duration", ["chain", "method"]),
  /** Blocks of peers that a node could not read, and could not verify. */
  unreadBlocks: byChain("meterchainvm_parse_block_err_count"),
  unverifiedBlocks: byChain("meterchainvm_verify_err_count"),
  // The C-Chain since Helicon. Times in seconds.
  executionQueue: ofExecution("execution_queue_blocks"),
  executionTime: ofExecution("execute_block_duration_seconds_sum"),
  executedBlocks: ofExecution("execute_block_duration_seconds_count"),
  queueTime: ofExecution("execution_queue_duration_seconds_sum"),
  queuedBlocks: ofExecution("execution_queue_duration_seconds_count"),
  executedHeight: ofExecution("last_executed_height"),
  settledHeight: ofExecution("last_settled_height"),
  gasTimeGap: ofExecution("gas_time_wall_time_gap_seconds"),
} as const;
