import { HostedRecords, type HostedRecord } from "./hosted-record.ts";
import { infos } from "../catalogue/metric.ts";
import { hostedTopic } from "../catalogue/topic.ts";

export const hostedAddresses = hostedTopic(
  {
    id: "hosted-addresses",
    about: "What are the addresses called that the Data API is asked about?",
    needs: { record: HostedRecords },
  },
  {
    info: infos(
      "avax_hosted_address_info",
      "What an address in the Data API's series is called, to be joined by `address`; the address itself where it has no name (configuration, `watch.addresses`, `name`).",
      ["address", "wallet"],
      ({ record }: { readonly record: HostedRecord }) =>
        [...record.names].map(([address, name]) => ({ address, wallet: name })),
    ),
  },
);
