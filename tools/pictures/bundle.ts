import { build } from "esbuild";
import { join } from "node:path";

const HERE = import.meta.dirname;

/** Where the page is bundled to, and where Grafana's icons are. */
export const PAGE = join(HERE, "dist");
export const PUBLIC = join(HERE, "node_modules/@grafana/ui/dist/public");

/** Bundles the page with Grafana's components. */
export async function bundlePage(): Promise<void> {
  await build({
    entryPoints: [join(HERE, "page/main.tsx")],
    bundle: true,
    outdir: PAGE,
    format: "esm",
    jsx: "automatic",
    minify: true,
    define: { "process.env.NODE_ENV": '"production"', global: "window" },
    // The icon font of the code editor is not needed in a picture.
    loader: { ".woff2": "file", ".woff": "file", ".svg": "dataurl", ".ttf": "empty" },
    // The compiler options of the project are for Node.
    tsconfigRaw: {},
    logLevel: "warning",
  });
}
