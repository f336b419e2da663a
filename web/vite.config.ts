import { defineConfig } from "vite";

// The server in development; the app and the API share one origin, as they do in the product.
const server = process.env["FIDUCIAL_SERVER"] ?? "http://127.0.0.1:8017";

export default defineConfig({
  base: "./", // so that a copy works wherever it lies; embed.mjs makes the page's own paths absolute again
  // NiiVue names it for a format that is never opened here; see the file.
  resolve: { alias: { zarrita: new URL("./src/viewer/no_zarr.ts", import.meta.url).pathname } },
  build: {
    target: "es2023",
    sourcemap: false,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  server: { proxy: { "/api/v1": server, "/healthz": server } },
});
