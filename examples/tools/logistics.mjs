/** Facilities, shipments, sensors and orders that live in memory. */
const text = { type: "string" };
const number = { type: "number" };
const list = (items) => ({ type: "array", items });
const object = (properties) => ({ type: "object", properties, required: Object.keys(properties) });

export const search_facilities = {
  name: "search_facilities",
  description: "Facilities in a city.",
  input: object({ city: text, kind: { enum: ["cold_storage", "warehouse"] } }),
  output: list(object({ id: text, name: text })),
  sideEffects: false,
  run: ({ city }) => [{ id: "f-1", name: `${city} North` }],
};

export const list_shipments = {
  name: "list_shipments",
  description: "Shipments to a facility.",
  input: object({ facility_id: text, status: { enum: ["in_transit", "delivered"] } }),
  output: list(object({ id: text, eta: text })),
  sideEffects: false,
  run: () => [
    { id: "s-1", eta: "2031-05-05" },
    { id: "s-2", eta: "2031-05-06" },
  ],
};

export const read_sensors = {
  name: "read_sensors",
  description: "The temperature in a facility.",
  input: object({ facility_id: text }),
  output: object({ celsius: number }),
  sideEffects: false,
  run: () => ({ celsius: -18.5 }),
};

export const file_report = {
  name: "file_report",
  description: "Keeps a report.",
  input: object({ title: text, shipment_ids: list(text), first_eta: text }),
  output: object({ report_id: text }),
  sideEffects: true,
  run: (_, { idempotencyKey }) => ({ report_id: idempotencyKey }),
};

export const reserve_goods = {
  name: "reserve_goods",
  sideEffects: true,
  run: ({ items }) => ({ reservation: "r-1", total: items.length * 10 }),
};

export const charge_card = {
  name: "charge_card",
  sideEffects: true,
  run: ({ order_id, amount }) => ({ receipt: `${order_id}: ${amount}` }),
};

export const notify_customer = { name: "notify_customer", sideEffects: true, run: () => ({}) };
export const release_goods = { name: "release_goods", sideEffects: true, run: () => ({}) };

export const make_bill = {
  name: "make_bill",
  sideEffects: false,
  run: ({ total, lines }) => ({ text: `${lines.length} lines, ${total} in all` }),
};
