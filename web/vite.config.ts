import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The address of a `sequitur serve` to develop against: `npm run web`. */
const SERVER = "http://127.0.0.1:4747";

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    reportCompressedSize: false,
    // The Content-Security-Policy allows no inline data but images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: "es" },
  server: { proxy: { "/graphql": { target: SERVER, changeOrigin: true } } },
});
