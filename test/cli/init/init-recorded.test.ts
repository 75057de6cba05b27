import { describe, expect, it, onTestFinished } from "vitest";
import { simulate } from "../../../simulator/simulate.ts";
import { init, recording, surveyOf } from "./run-init.ts";

describe("a recorded node", () => {
  it("is described and configured", async () => {
    const run = await init(await recording("local-healthy-validator"));
    expect([run.code, run.err, run.valid]).toEqual([0, "", "c.yaml: valid, 1 node\n"]);
    expect(surveyOf(run)).toMatchInlineSnapshot(`
      "Surveying 1 URL with requests that only read.

      http://node-1
        name    local-1
        network local (network ID 12345)
        node ID NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg
        version avalanchego/1.15.0
        staking validator with a stake of 2,000,000 AVAX, until 2027-10-03 04:00 UTC
                (in …)
        chains  P, X, C
        subnet  BKBZ6xXTnT86B4L5fp8rvtcmNSpvtNz8En9jG61ywV2uWyeHy: perm1 (EVM 43001);
                validator
        subnet  mAAwNdYgpbsfCaEJMpVAooWWBoSMvtTB8cpMnbRvsC4nAMQzx: l1one (EVM 43002);
                not a validator

      "
    `);
    expect(run.file?.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(run.file).toMatchInlineSnapshot(`
      "# Configuration of avax-exporter, written by \`avax-exporter init\` on …
      # from the answers of 1 node.
      # config.example.yaml shows every option with its default.

      # The polled nodes.
      nodes:
        # avalanchego/1.15.0; validator with a stake of 2,000,000 AVAX, until
        # 2027-10-03 04:00 UTC.
        - name: local-1 # Unique name of the node: the label \`node\`.
          url: http://node-1 # Base URL of the node's HTTP API, without /ext.
          # Network of the node: the label \`network\`. Default: reported by the node.
          network: local
          # Expected node ID: its validator is watched from the start, and every poll
          # of another node fails.
          node_id: NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg
          # Names or IDs of the configured subnets that this node serves. Default: all
          # without a network or with the node's.
          subnets: [perm1, l1one]

      # Subnets and L1s, with their chains.
      subnets:
        - id: BKBZ6xXTnT86B4L5fp8rvtcmNSpvtNz8En9jG61ywV2uWyeHy # Subnet ID.
          # Name of the subnet, for references and pages. Default: the subnet ID.
          name: perm1
          network: local # Network of the subnet. Default: any.
          # Chains of the subnet.
          chains:
            - id: 2Mcvq9yQR3cBePqQVhp6hr9vj4m4JNKNNyuPLWujqPwCipbrwB # Blockchain ID.
              # Alias of the chain: the label \`chain\`. Default: the blockchain ID.
              name: perm1
              evm: true # Whether the chain is polled as an EVM chain.
              evm_chain_id: 43001 # Expected EVM chain ID.
        - id: mAAwNdYgpbsfCaEJMpVAooWWBoSMvtTB8cpMnbRvsC4nAMQzx
          name: l1one
          network: local
          chains:
            - id: 2hPfR53XTbmThBE6mZCTwi7m19qugoeFRpw89bU2rpmN6dPk7W
              name: l1one
              evm: true
              evm_chain_id: 43002

      # Validators and wallets to watch in detail.
      watch:
        # Validators watched in detail, besides those of the polled nodes: node IDs,
        # or mappings with node_id.
        validators: [NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg]

      # Changes to the defaults of endpoints, by endpoint id such as info.peers.
      endpoints:
        # Settings of one endpoint.
        admin.getVMConfig:
          enabled: true # Whether it is polled.

      # Other sections:
      #   node_files: Files or patterns such as nodes.d/*.yaml, relative to this file,
      #     each holding a list of nodes.
      #   evm: Polls of EVM chains.
      #   data_api: The hosted Data API. Not polled without this section.
      #   metrics_api: The hosted Metrics API. Not polled without this section.
      #   alerts: Thresholds of the alerts, by the names of \`avax-exporter export
      #     rules --set=help\`, and their durations as NAME.for. \`doctor\`, the status
      #     page and the findings use them; \`export rules --config.file\` writes them
      #     into the rules.
      #   probe: Settings of /probe.
      #   labels_on_series: Free labels to add to every series of a node, not only to
      #     avax_node_labels_info. Default: none.
      #   metrics: Which families /metrics exports: all, or essential, those that the
      #     alerts and the first row of each dashboard read. collect[] selects among
      #     all.
      "
    `);
  });

  it("with everything but the info API off costs metrics", async () => {
    const url = await recording("local-healthy-validator", {
      twist: ({ path }, reply) =>
        path === "/ext/info" ? reply : { ...reply, status: 404, body: "404 page not found\n" },
    });
    const run = await init(url);
    expect([run.code, run.err, run.valid]).toEqual([0, "", "c.yaml: valid, 1 node\n"]);
    expect(surveyOf(run)).toContain("health API (off): no avax_node_healthy, ");
    // Which other metrics there are is no matter of this test.
    const survey = surveyOf(run).replace(/no avax_\w+,\s+avax_\w+\s+and \d+\s+more/g, "no … more");
    expect(survey).toMatchInlineSnapshot(`
      "Surveying 1 URL with requests that only read.

      http://node-1
        name    local-1
        network local (network ID 12345)
        node ID NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg
        version avalanchego/1.15.0
        staking unknown whether a validator
        chains  P, X, C
        off     health API (off): no … more
        off     P-Chain API (off): no … more
        off     C-Chain RPC (off): no … more
        off     C-Chain ledger API (off): no … more
        off     admin API (off): no avax_evm_config_info (usual: nodes serve it only
                if configured to, and never after the Helicon upgrade)

      "
    `);
    expect(run.file).toMatch(
      /unknown whether a validator\.\n(?: {2}# [\w-]+(?: \w+)? (?:API|RPC) is off\.\n){5} {2}- name: local-1 /,
    );
    expect(run.out).toContain("  warning local-1 does not serve the health API\n");
  });

  it("loses no metric for a method that the specification lacks", async () => {
    const { nodes, close } = await simulate({ nodes: 1, validators: 5, dialect: "spec" });
    onTestFinished(close);
    expect(surveyOf(await init(nodes[0]?.url ?? ""))).not.toContain("  off ");
  });

  it("that bootstraps has chains later", async () => {
    const run = await init(await recording("custom-bootstrapping"));
    expect([run.code, run.err, run.valid]).toEqual([0, "", "c.yaml: valid, 1 node\n"]);
    expect(surveyOf(run)).toContain("  chains  P (bootstrapping), X (bootstrapping), C (bootstrapping)\n");
    expect(surveyOf(run).match(/ {2}off {5}.* \(bootstrapping\): no /g)).toHaveLength(4);
    expect(run.file).not.toContain("primary_chains");
  });

  it.each([
    [
      "health and ID",
      (path: string, method?: string) => path.startsWith("/ext/health") || method === "info.getNodeID",
      true,
    ],
    ["health alone", (path: string) => path.startsWith("/ext/health"), false],
    ["nothing", () => false, false],
  ])("that serves no %s: public_server", async (_what, isRefused, isPublic) => {
    const url = await recording("local-healthy-validator", {
      twist: ({ path, rpc }, { headers: { "node-id": _id, ...headers }, ...reply }) =>
        isRefused(path, rpc?.method)
          ? { ...reply, headers, status: 404, body: "404 page not found\n" }
          : { ...reply, headers },
    });
    const { file = "", valid } = await init(url);
    expect(file.includes("public_server: true")).toBe(isPublic);
    expect(file.includes("node_id: ")).toBe(!isPublic);
    expect(valid).toBe("c.yaml: valid, 1 node\n");
  });

  it("has the chains of the Primary Network that it runs", async () => {
    const url = await recording("local-healthy-validator", {
      twist: ({ rpc }, reply) =>
        rpc?.method === "info.isBootstrapped" && rpc.params["chain"] !== "P"
          ? {
              ...reply,
              body: '{"jsonrpc":"2.0","error":{"code":-32000,"message":"there is no chain with alias/ID"},"id":1}',
            }
          : reply,
    });
    const { file, valid } = await init(url);
    expect(file).toMatch(/^ {4}primary_chains: \[P\]/m);
    expect(valid).toBe("c.yaml: valid, 1 node\n");
  });

  it("of several networks lists its validators by network", async () => {
    const run = await init(await recording("local-healthy-validator"), await recording("custom-helicon-active"));
    expect(run.valid).toBe("c.yaml: valid, 2 nodes\n");
    expect(run.file).toContain("  validators: []\n");
    const id = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg";
    expect(run.file).toContain(`  validators_by_network:\n    local: [${id}]\n    network-424242: [${id}]\n`);
  });

  it("has no text that can change the file or the environment", async () => {
    const url = await recording("local-healthy-validator", {
      twist: ({ rpc }, reply) =>
        rpc?.method === "info.getNetworkName"
          ? {
              ...reply,
              body: JSON.stringify({ jsonrpc: "2.0", id: 1, result: { networkName: 'a: "${HOME}"\n\u001b[31m# x' } }),
            }
          : reply,
    });
    const { file, out, valid } = await init(url);
    expect(out).toContain('  network a: "${HOME}" [31m# x (network ID 12345)\n');
    expect(file).toContain("network: 'a: \"$${HOME}\" [31m# x'");
    expect(valid).toBe("c.yaml: valid, 1 node\n");
  });
});
