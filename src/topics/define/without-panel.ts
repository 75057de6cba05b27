/** Reasons why no panel and no rule uses a metric. */
export const LOOKED_UP = "Labels to join with other series and to look up; there is no value to draw.";
export const DETAIL = "Looked up while another problem is examined; a panel of its own would mostly be empty.";
export const ELASTIC = "Exists in elastic subnets alone, which few operators have.";
export const SECOND_SOURCE = "The hosted Data API repeats a value of the P-Chain, which is nearer to the truth.";
export const PERIOD = "Age of a hosted answer; the exporter's dashboard shows it by endpoint.";
export const ADDRESS = "A detail of a watched address; the table of addresses shows the main values.";
export const PERSONAL = "Tokens, contracts and collections differ by operator, who builds a dashboard for them.";
