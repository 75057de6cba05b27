import { OwnRecords } from "../own-records.ts";
import { gauge } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import { NODE_AWAY } from "../define/causes.ts";
import { threshold } from "../define/threshold.ts";

/** Less is an alert: issuers that renew automatically do so 30 days before the end. Seconds. */
export const EXPIRES_SOON = 14 * 86_400;

const soon = threshold("api-certificate", "seconds", "when the TLS certificate of an API expires within this time", {
  standard: EXPIRES_SOON,
  least: 3_600,
  most: 365 * 86_400,
});

export const apiCertificate = topic(
  {
    id: "api-certificate",
    about: "When does the TLS certificate of each node's API expire?",
    scope: "node",
    needs: { record: OwnRecords },
  },
  {
    expiry: gauge(
      "avax_node_api_certificate_expiry_timestamp_seconds",
      "When the certificate of the node's API expires, as presented on the last TLS connection; absent for plain HTTP (the exporter's own record).",
      ({ record }) => record.certificateExpiry,
    ),
  },
  ({ expiry }) => ({
    AvaxNodeApiCertificateExpiring: {
      severity: "warning",
      when: { of: expiry, within: soon },
      for: "1h",
      explainedBy: [...NODE_AWAY],
      summary: "{{ $labels.node }} has {{ $value | humanizeDuration }} left on its API certificate",
      over: "has a new API certificate",
      meaning:
        "The certificate was not renewed in time. After it expires, every poll of the node fails with the reason `tls`, and other HTTPS clients of the API fail too. Consensus and uptime are not affected: the staking certificate is a different one.",
      confirm:
        "`openssl s_client -connect HOST:PORT </dev/null | openssl x509 -noout -enddate` prints the expiry of the certificate in use. Run it with the host and port of the node's URL. A proxy in front of the node presents its own certificate.",
      commands: {
        "call <node> /ext/health/liveness":
          "An answer means that the certificate is still valid, or not verified (`insecure_skip_verify`). `certificate has expired` means that polls fail already.",
      },
      action:
        "Renew it, and reload the proxy or restart the node (`--http-tls-cert-file`). The alert ends within an hour.",
      falsePositives:
        "The certificate was renewed within the last hour and the server kept the old connections open. The clock of Prometheus is wrong.",
    },
  }),
);
