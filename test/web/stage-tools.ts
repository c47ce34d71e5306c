/** Tools for browser tests: slow ones that a file lets go on, so that a test decides when things happen. */
export const TOOLS = `
import { existsSync } from "node:fs";

const until = async (file, signal) => {
  while (!existsSync(file)) {
    if (signal.aborted) throw new Error("given up");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

export const find_orders = {
  name: "find_orders", description: "Orders of a customer.", sideEffects: false,
  run: ({ customer, count = 3 }, { log, emit }) => {
    log("looking for orders", { customer });
    emit({ kind: "TextEmitted", text: "Found " + count + " orders of " + customer });
    return { customer, orders: Array.from({ length: count }, (_, i) => ({ id: "order-" + i, total: 10 * (i + 1) })) };
  },
};
export const gate = {
  name: "gate", description: "Waits until a file is there.", sideEffects: false,
  run: async ({ file, value }, { signal }) => { await until(file, signal); return { value: value ?? "open" }; },
};
export const ship = { name: "ship", description: "Ships an order.", sideEffects: true, run: ({ order }) => ({ shipped: order }) };
let failures = 0;
export const flaky = {
  name: "flaky", description: "Fails every other time.", sideEffects: false,
  run: ({ value }) => { if (failures++ % 2 === 0) throw new Error("The warehouse does not answer"); return { value }; },
};
export const broken = { name: "broken", description: "Fails until a file is there.", run: ({ file }) => { if (!existsSync(file)) throw new Error("No connection to the printer"); return { printed: true }; } };
export const echo = { name: "echo", description: "Gives back what it gets.", sideEffects: false, run: (params) => params };
export const numbers = { name: "numbers", description: "A list of numbers.", sideEffects: false, run: ({ count }) => ({ list: Array.from({ length: count }, (_, i) => i) }) };
export const hostile = {
  name: "hostile", description: "Returns what pages are afraid of.", sideEffects: false,
  run: () => {
    let deep = "bottom";
    for (let i = 0; i < 150; i++) deep = { down: deep };
    return {
      html: "<img src=x onerror=\\"window.hacked=1\\"><script>window.hacked=1</script>",
      "<b>key</b><script>window.hacked=1</script>": "<svg onload=window.hacked=1>",
      arabic: "\\u202eمرحبا بالعالم\\u202c", override: "abc\\u202Edef",
      long: "x".repeat(10 * 1024 * 1024) + "END",
      deep, proto: JSON.parse('{"__proto__":{"polluted":1}}'),
      many: Array.from({ length: 20000 }, (_, i) => "item " + i),
    };
  },
};
`;
