/** How dashboards link to the pages of an exporter: at the address where Prometheus scrapes it; `export dashboards --exporter-url` sets another. */

/** Of the first chosen exporter, from the hidden variable `exporter`. */
export const EXPORTER_PAGES = "http://${exporter}/";

/** Of the exporter that a cell names. */
export const TO_EXPORTER = "http://${__value.raw}/";
