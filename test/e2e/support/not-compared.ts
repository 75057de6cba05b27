/**
 * Families whose value depends on when the test runs, so that no recording can hold it, with what it depends on. Families
 * that nothing here reads are in families-not-compared.txt: their topics' own tests have their figures.
 */
export const OF_THE_MOMENT: Readonly<Record<string, string>> = {
  avax_endpoint_last_success_timestamp_seconds: "when the exporter polled",
  avax_poll_duration_seconds: "how often it polled, and how long that took",
  avax_poll_failures_total: "how often it polled what does not answer; nodes and reasons are compared",
  avax_chain_height_changed_timestamp_seconds: "when the exporter first saw the height",
  avax_validators_stake_ending_avax: "which range a stake is in depends on today; the sum of the ranges is compared",
};
