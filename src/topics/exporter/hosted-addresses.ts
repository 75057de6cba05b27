import { HostedRecords, type HostedRecord } from "./hosted-record.ts";
import { infos } from "../define/metric.ts";
import { hostedTopic } from "../define/topic.ts";

export const hostedAddresses = hostedTopic(
  {
    id: "hosted-addresses",
    about: "Which names do the addresses have that are polled from the Data API?",
    needs: { record: HostedRecords },
  },
  {
    info: infos(
      "avax_hosted_address_info",
      "Name of an address in the series of the Data API, to join by `address`; the address itself where it has no name (configuration, `watch.addresses`, `name`).",
      ["address", "wallet"],
      ({ record }: { readonly record: HostedRecord }) =>
        [...record.names].map(([address, name]) => ({ address, wallet: name })),
    ),
  },
);
