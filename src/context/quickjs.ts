/*
 * QuickJS, a JavaScript engine inside WebAssembly: what runs in it reaches neither the process nor the disk nor a clock, and
 * has no more memory than it is given here.
 *
 * It is loaded at once, without a promise, because triggers are asked in the middle of handling an event. The loader that
 * comes with it is asynchronous only in form: given a compiled module it has nothing to wait for. It is therefore run in a
 * realm whose promises are settled before the call into the realm returns (`microtaskMode`).
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import type * as Vm from "node:vm";
import type * as QuickJsCore from "quickjs-emscripten-core";
import { invariant } from "../base/invariant.ts";

/** What is used of it; the types of Node leave it to those of browsers. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => object;
  readonly Instance: new (module: object, imports: object) => object;
};

export type QuickJs = QuickJsCore.QuickJSWASMModule;

const BUILD = "@jitl/quickjs-wasmfile-release-sync";
const WASM_PAGE_BYTES = 65_536;

/** All that the functions of one instance have: code, stack and data. It does not grow. */
const MEMORY_BYTES = 16 * 1024 * 1024;

interface Parts {
  readonly core: typeof QuickJsCore;
  readonly ffi: new (module: unknown) => unknown;
  readonly loader: Vm.Script;
  readonly vm: typeof Vm;
  readonly folder: string;
  readonly wasm: object;
}

let parts: Parts | undefined;

/** Read and compiled once, when the first function is called. */
export function quickJsParts(): Parts {
  if (parts !== undefined) return parts;
  const require = createRequire(import.meta.url);
  const vm = require("node:vm") as typeof Vm;
  const file = require.resolve(`${BUILD}/emscripten-module`);
  const load = "module.exports(settings).then((module) => { loaded.module = module; });";
  parts = {
    core: require("quickjs-emscripten-core"),
    ffi: require(`${BUILD}/ffi`).QuickJSFFI,
    vm,
    loader: new vm.Script(`${readFileSync(file, "utf8")}\n${load}`, { filename: file }),
    folder: dirname(file),
    wasm: new WebAssembly.Module(readFileSync(require.resolve(`${BUILD}/wasm`))),
  };
  return parts;
}

/** A fresh instance with a memory of its own. */
export function newQuickJs(): QuickJs {
  const { core, ffi, loader, folder, wasm, vm } = quickJsParts();
  const pages = MEMORY_BYTES / WASM_PAGE_BYTES;
  const settings = {
    wasmMemory: new WebAssembly.Memory({ initial: pages, maximum: pages }),
    instantiateWasm: (imports: object, use: (instance: object) => void) => {
      use(new WebAssembly.Instance(wasm, imports));
    },
  };
  const loaded: { module?: { type?: string } } = {};
  const silent = { log: () => {}, warn: () => {}, error: () => {} };
  const realm = vm.createContext(
    {
      settings,
      loaded,
      module: { exports: {} },
      exports: {},
      require,
      __dirname: folder,
      console: silent,
      process: { argv: [] },
      URL,
      TextDecoder,
    },
    { microtaskMode: "afterEvaluate" },
  );
  loader.runInContext(realm);
  invariant(loaded.module !== undefined, "QuickJS did not load in one go");
  loaded.module.type = "sync";
  // The constructor is public but for its types, which name a loader's result.
  const Module = core.QuickJSWASMModule as unknown as new (module: unknown, ffi: unknown) => QuickJs;
  return new Module(loaded.module, new ffi(loaded.module));
}
