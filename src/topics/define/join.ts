/** Joins that add labels to the result of an expression without a change of its value. */

type Named = { readonly name: string };

/**
 * Adds the node ID to series with the labels of a polled node; those of a node without a known ID are lost. `topk` keeps one of
 * several nodes that a scrape job has given the same name.
 * @param ids the node ID of each node, with the labels `node` and `node_id`
 */
export function withNodeId(expr: string, ids: Named): string {
  return `(${expr}) * on (job, instance, node) group_left (node_id) topk by (job, instance, node) (1, ${ids.name})`;
}

/**
 * Adds the name of a validator and of the polled node that it is to series with the labels `network` and `node_id`.
 * @param names one series for each validator, with or without the labels `name` and `node`
 */
export function withValidatorName(expr: string, names: Named): string {
  return `(${expr}) * on (network, node_id) group_left (name, node) ${names.name}`;
}
