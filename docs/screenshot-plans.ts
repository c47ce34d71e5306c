/* Plans and tools for the pictures: an office with orders, a warehouse and a printer that is out of order. */
export const PICTURE_TOOLS = `
import { existsSync } from "node:fs";
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const find_orders = {
  name: "find_orders", description: "Orders of a customer that have not been shipped.", sideEffects: false,
  input: { type: "object", properties: { customer: { type: "string", description: "The customer's name" }, status: { type: "string", enum: ["open", "late"] } }, required: ["customer"] },
  output: { type: "object", properties: { orders: { type: "array" }, customer: { type: "object" } } },
  run: async ({ customer }, { log, emit }) => {
    await pause(220);
    log("asked the order database", { customer, rows: 6 });
    emit({ kind: "TextEmitted", text: "6 open orders for " + customer });
    return { customer: { name: customer, city: "Lisbon", since: 2019 }, orders: Array.from({ length: 6 }, (_, i) => ({ id: "A-10" + (40 + i), total: 18.5 + 7 * i, items: 1 + (i % 3) })) };
  },
};
let misses = 0;
export const pick_item = { name: "pick_item", description: "Takes an order's items from the shelves.", sideEffects: true, run: async ({ order }, { signal }) => { await pause(300 + 60 * (Number(order.total) % 5)); return { order: order.id, shelf: "B" + (order.items + 3) }; } };
export const book_courier = { name: "book_courier", description: "Books a courier for a pick-up.", sideEffects: true, requiresConfirmation: false, run: async ({ city }) => { await pause(350); if (misses++ % 3 === 0) throw new Error("The courier's desk does not answer"); return { courier: "Velo Express", pickup: "16:30", city }; } };
export const hand_over = { name: "hand_over", description: "Hands the parcels over.", sideEffects: true, run: async ({ wait, parcels, courier }, { signal }) => { while (!existsSync(wait)) { if (signal.aborted) throw new Error("given up"); await pause(40); } return { handed_over: parcels, to: courier }; } };
export const add_up = { name: "add_up", description: "Adds amounts.", sideEffects: false, run: async ({ orders }) => { await pause(120); return { total: orders.reduce((sum, { total }) => sum + total, 0) }; } };
export const write_invoice = { name: "write_invoice", description: "Writes an invoice.", sideEffects: true, run: async ({ total, customer }) => { await pause(260); return { number: "2026-0417", total, customer: customer.name }; } };
export const send_email = { name: "send_email", description: "Sends an e-mail.", sideEffects: true, input: { type: "object", properties: { to: { type: "string", description: "Address of the recipient" }, subject: { type: "string", description: "Shown in the list of mails" }, body: { type: "string", description: "What the mail says" }, urgent: { type: "boolean", description: "Mark it as urgent" } }, required: ["to", "body"] }, run: async ({ to }) => { await pause(90); return { sent: true, to }; } };
export const print_labels = { name: "print_labels", description: "Prints shipping labels.", sideEffects: true, run: async ({ printer }) => { await pause(80); if (!existsSync(printer)) throw new Error("Printer OFFICE-2 is out of paper"); return { printed: 6 }; } };
export const read_news = { name: "read_news", description: "Headlines of a topic.", sideEffects: false, run: async ({ topic }) => { await pause(60); return { headlines: ["New rules for " + topic, topic + " prices fall"] }; } };
`;

export const AGENTS = {
  "agents/office/invoice.agent": {
    name: "invoice",
    description: "Adds up the orders of a customer and writes the invoice.",
    arguments: [
      { name: "orders", type_name: "list" },
      { name: "customer", type_name: "object" },
    ],
    responses: [{ name: "number", type_name: "string" }],
    instructions: [
      {
        execution_id: "total",
        agent_definition: { system_event_endpoint: "add_up" },
        arguments: { orders: "REF:arguments.orders" },
      },
      {
        execution_id: "write",
        agent_definition: { system_event_endpoint: "write_invoice" },
        arguments: { total: "REF:total.total", customer: "REF:arguments.customer" },
      },
    ],
    response_reference_map: { number: "REF:write.number" },
  },
};

const tool = (name: string) => ({ agent_definition: { system_event_endpoint: name } });

export function orders(name: string, wait: string): unknown {
  return {
    name,
    context_variables: {
      runtime_variables: [{ name: "warehouse", default: "Lisbon North" }],
      derived_variables: [
        {
          name: "orders_found",
          triggers: [{ type: "agent_text", agent: "find_orders", match: { contains: "open orders" } }],
        },
        {
          name: "courier_booked",
          triggers: [{ type: "tool_response", tool: "book_courier", status: "succeeded" }],
        },
      ],
    },
    plan: {
      name,
      instructions: [
        { execution_id: "find", ...tool("find_orders"), arguments: { customer: "Ada Almeida" } },
        {
          execution_id: "pick",
          ...tool("pick_item"),
          arguments: {},
          parallel_execution: {
            iterate_over: "REF:find.orders",
            child_argument_name: "order",
            max_concurrency: 2,
          },
        },
        {
          execution_id: "courier",
          ...tool("book_courier"),
          arguments: { city: "REF:find.customer.city" },
          policy: { retries: 2, backoff: { base_ms: 80 } },
        },
        {
          execution_id: "express",
          ...tool("book_courier"),
          arguments: { city: "REF:find.customer.city" },
          conditions: [
            { param: "REF:find.orders.length", operator: "greater_than", value: 20 },
            { param: "REF:find.customer.city", operator: "equals", value: "Lisbon" },
          ],
        },
        {
          execution_id: "invoice",
          agent_definition_path: "/office/invoice.agent",
          arguments: { orders: "REF:find.orders", customer: "REF:find.customer" },
        },
        {
          execution_id: "hand_over",
          ...tool("hand_over"),
          arguments: { wait, parcels: "REF:pick.response", courier: "REF:courier.courier" },
        },
        {
          execution_id: "tell",
          ...tool("send_email"),
          arguments: { to: "ada@example.org", subject: "REF:invoice.number", body: "REF:hand_over.to" },
        },
      ],
      response_reference_map: { invoice: "REF:invoice.number" },
    },
  };
}

export function digest(name: string): unknown {
  return {
    name,
    steps: [
      { id: "shipping", tool: "read_news", arguments: { topic: "shipping" } },
      { id: "paper", tool: "read_news", arguments: { topic: "paper" } },
      {
        id: "send",
        tool: "send_email",
        arguments: {
          to: "team@example.org",
          body: "{{shipping.result.headlines[0]}} and {{paper.result.headlines[0]}}",
        },
      },
    ],
  };
}

export function reports(printer: string): unknown {
  return {
    name: "Labels for the night shift",
    steps: [
      { id: "find", tool: "find_orders", arguments: { customer: "Bruno Costa" } },
      {
        id: "print",
        tool: "print_labels",
        arguments: { printer, orders: "{{find.result.orders}}" },
        policy: { retries: 1, backoff: { base_ms: 60 } },
      },
      {
        id: "tell",
        tool: "send_email",
        arguments: { to: "night@example.org", body: "{{print.result.printed}} labels" },
      },
    ],
  };
}

export function approvals(): unknown {
  return {
    name: "Answer Sarah",
    steps: [
      { id: "find", tool: "find_orders", arguments: { customer: "Sarah Silva" } },
      {
        id: "reply",
        tool: "send_email",
        intent: "Answer Sarah's newest mail",
        arguments: {
          to: "sarah@example.org",
          subject: "Your orders",
          body: "{{PLACEHOLDER_message}}",
          urgent: "{{PLACEHOLDER_urgent}}",
        },
      },
    ],
  };
}
