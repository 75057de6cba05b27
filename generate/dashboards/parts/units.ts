/** Units that Grafana never converts into a larger one: 100 s stay "100 s" and do not become "1.67 mins". */
export const PLAIN_SECONDS = "suffix:s";
export const GWEI = "suffix:gwei";
