/** Joins that add labels to the result of an expression without a change of its value. */

type Named = { readonly name: string };

/**
 * Adds the node ID to series with the labels of a polled node. A node without a known ID has an empty one, so no series is lost;
 * `topk` keeps one of several nodes that a scrape job has given the same name.
 * @param configured the series that each configured node has exactly once, with the labels `node` and `node_id`
 */
export function withNodeId(expr: string, configured: Named): string {
  return `(${expr}) * on (job, instance, node) group_left (node_id) topk by (job, instance, node) (1, ${configured.name})`;
}

/**
 * Adds the name of a validator and of the polled node that it is to series with the labels `network` and `node_id`. Series
 * without a match stay as they are.
 * @param info the series of the watched validators, with the labels `network`, `node_id`, `name` and `node`
 */
export function withValidatorName(expr: string, info: Named): string {
  const names = `topk by (network, node_id) (1, ${info.name})`;
  return `(${expr}) * on (network, node_id) group_left (name, node) ${names} or ignoring (name, node) (${expr})`;
}
