/** A family of a node's own `/ext/metrics`, with its own labels; the scrape job of `/sd` adds `node` and `network`. */
function family<const L extends string = never>(name: string, labels: readonly L[] = []) {
  return { name: `avalanche_${name}`, labels };
}
const plain = (name: string) => family(name);
const byChain = (name: string) => family(name, ["chain"]);

/** Families of AvalancheGo that dashboards show and rules read. A test compares them with a recording of a node. */
export const NATIVE_FAMILIES = {
  // Messages that wait for one of the throttlers, in this order.
  waitingForBytes: plain("network_byte_throttler_inbound_awaiting_acquire"),
  waitingForBuffer: plain("network_buffer_throttler_inbound_awaiting_acquire"),
  waitingForBandwidth: plain("network_bandwidth_throttler_inbound_awaiting_acquire"),
  waitingForCpu: plain("network_cpu_throttler_awaiting_acquire"),
  waitingForDisk: plain("network_disk_throttler_awaiting_acquire"),
  cpuWaits: plain("network_cpu_throttler_total_waits"),
  cpuPasses: plain("network_cpu_throttler_total_no_waits"),
  diskWaits: plain("network_disk_throttler_total_waits"),
  diskPasses: plain("network_disk_throttler_total_no_waits"),
  outboundDropped: plain("network_throttler_outbound_acquire_failures"),
  outboundSent: plain("network_throttler_outbound_acquire_successes"),
  inboundFree: plain("network_byte_throttler_inbound_remaining_at_large_bytes"),
  inboundFreeOfValidators: plain("network_byte_throttler_inbound_remaining_validator_bytes"),
  outboundFree: plain("network_throttler_outbound_remaining_at_large_bytes"),
  outboundFreeOfValidators: plain("network_throttler_outbound_remaining_validator_bytes"),
  pollsSuccessful: byChain("snowman_polls_successful"),
  pollsFailed: byChain("snowman_polls_failed"),
  pollsPending: byChain("snowman_polls"),
  /** Nanoseconds. */
  pollTime: byChain("snowman_poll_duration_sum"),
  pollTimes: byChain("snowman_poll_duration_count"),
  badBlocks: byChain("evm_eth_chain_block_bad_count"),
  badBlocksOfPlugins: byChain("subnetevm_vm_eth_chain_block_bad_count"),
  // LevelDB alone: AvalancheGo exports no such family with PebbleDB.
  databaseSize: family("db_size", ["level"]),
  delayedWrites: plain("db_writes_delayed"),
  /** Nanoseconds, cumulative, though it is a gauge. */
  delayedTime: plain("db_writes_delayed_duration"),
  compactionReads: plain("db_io_read"),
  compactionWrites: plain("db_io_write"),
  // With either database.
  databaseCalls: family("meterdb_calls", ["chain", "method"]),
  /** Nanoseconds, cumulative, though it is a gauge. */
  databaseTime: family("meterdb_duration", ["chain", "method"]),
} as const;
