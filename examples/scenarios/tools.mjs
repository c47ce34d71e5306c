/* The tools of the small world of `world.json`: silos, what is delivered to them, and what was found in it. */
import { readFileSync } from "node:fs";

const world = JSON.parse(readFileSync(new URL("./world.json", import.meta.url), "utf8"));

const text = { type: "string" };
const number = { type: "number" };
const list = (items) => ({ type: "array", items });
const object = (properties, required = Object.keys(properties)) => ({ type: "object", properties, required });

const facility = object({ id: text, name: text, city: text, kind: text, capacity_t: number });
const shipment = object({ id: text, facility_id: text, material: text, tonnes: number, status: text });
const reading = object({ id: text, shipment_id: text, substance: text, ppb: number, limit_ppb: number });

/** What a caller does not say does not narrow anything. */
const fits = (wanted, value) => wanted === undefined || wanted === null || wanted === value;
const isAmong = (wanted, value) => wanted === undefined || wanted === null || wanted.includes(value);

export const facilities_list = {
  name: "facilities_list",
  description: "Facilities, by city and kind.",
  input: object({ city: text, kind: text }, []),
  output: object({ facilities: list(facility), total: number }),
  sideEffects: false,
  run: ({ city, kind }) => {
    const facilities = world.facilities.filter((each) => fits(city, each.city) && fits(kind, each.kind));
    return { facilities, total: facilities.length };
  },
};

export const shipments_list = {
  name: "shipments_list",
  description: "Shipments to one facility, to several, or to all; by material, status and weight.",
  input: object(
    { facility_id: text, facility_ids: list(text), material: text, status: text, tonnes_min: number },
    [],
  ),
  output: object({ shipments: list(shipment), total: number, tonnes: number }),
  sideEffects: false,
  run: ({ facility_id, facility_ids, material, status, tonnes_min }) => {
    const shipments = world.shipments.filter(
      (each) =>
        fits(facility_id, each.facility_id) &&
        isAmong(facility_ids, each.facility_id) &&
        fits(material, each.material) &&
        fits(status, each.status) &&
        each.tonnes >= (tonnes_min ?? 0),
    );
    return { shipments, total: shipments.length, tonnes: sum(shipments.map((each) => each.tonnes)) };
  },
};

export const contaminants_list = {
  name: "contaminants_list",
  description: "What was found in shipments, in the order in which it was found.",
  input: object({ shipment_ids: list(text), substance: text, only_above_limit: { type: "boolean" } }, [
    "shipment_ids",
  ]),
  output: object({ readings: list(reading), total: number }),
  sideEffects: false,
  run: ({ shipment_ids, substance, only_above_limit }) => {
    const readings = world.contaminants.filter(
      (each) =>
        shipment_ids.includes(each.shipment_id) &&
        fits(substance, each.substance) &&
        (only_above_limit !== true || each.ppb > each.limit_ppb),
    );
    return { readings, total: readings.length };
  },
};

export const inspect_shipment = {
  name: "inspect_shipment",
  description: "Is a shipment clean?",
  input: object({ shipment_id: text }),
  output: object({ shipment_id: text, clean: { type: "boolean" }, above_limit: list(text) }),
  sideEffects: false,
  run: ({ shipment_id }) => {
    if (!world.shipments.some((each) => each.id === shipment_id)) {
      throw failure("UNKNOWN_SHIPMENT", `There is no shipment ${shipment_id}.`, false);
    }
    const above = world.contaminants.filter(
      (each) => each.shipment_id === shipment_id && each.ppb > each.limit_ppb,
    );
    return { shipment_id, clean: above.length === 0, above_limit: above.map((each) => each.substance) };
  },
};

export const sensor_read = {
  name: "sensor_read",
  description: "How full a facility is. The line is bad: only the third call gets through.",
  input: object({ facility_id: text }),
  output: object({ facility_id: text, stored_t: number, capacity_t: number, percent: number }),
  sideEffects: false,
  run: ({ facility_id }, { attempt }) => {
    if (attempt < 3) throw failure("LINE_BUSY", `The sensor of ${facility_id} does not answer.`, true);
    return load(facility_id);
  },
};

export const facility_load = {
  name: "facility_load",
  description: "How full a facility is.",
  input: object({ facility_id: text }),
  output: object({ facility_id: text, stored_t: number, capacity_t: number, percent: number }),
  sideEffects: false,
  run: ({ facility_id }) => load(facility_id),
};

export const statistics = {
  name: "statistics",
  description: "Count, sum, mean, smallest and largest of some numbers.",
  input: object({ values: list(number) }),
  output: object({ count: number, sum: number, mean: number, min: number, max: number }),
  sideEffects: false,
  run: ({ values }) => {
    if (values.length === 0) throw failure("NO_VALUES", "There is nothing to count.", false);
    const total = sum(values);
    const mean = total / values.length;
    return { count: values.length, sum: total, mean, min: Math.min(...values), max: Math.max(...values) };
  },
};

export const hold_shipments = {
  name: "hold_shipments",
  description: "Keeps shipments from being moved.",
  input: object({ shipment_ids: list(text), reason: text }),
  output: object({ held: list(text), count: number, reason: text }),
  sideEffects: true,
  run: ({ shipment_ids, reason }) => {
    const held = [...new Set(shipment_ids)];
    return { held, count: held.length, reason };
  },
};

export const raise_alert = {
  name: "raise_alert",
  description: "Wakes somebody.",
  input: object({ facility_id: text, percent: number }),
  output: object({ alert: text }),
  sideEffects: true,
  run: ({ facility_id, percent }) => ({ alert: `${facility_id} is ${percent} % full` }),
};

export const log_entry = {
  name: "log_entry",
  description: "One line for the audit trail.",
  input: object({ action: text, subject: text, count: number }),
  output: object({ line: text }),
  sideEffects: true,
  run: ({ action, subject, count }) => ({ line: `${action} ${subject}: ${count}` }),
};

export const compose_report = {
  name: "compose_report",
  description: "A title and its lines, as they are.",
  input: object({ title: text, lines: list({}) }),
  output: object({ title: text, lines: list({}), count: number }),
  sideEffects: true,
  run: ({ title, lines }) => ({ title, lines, count: lines.length }),
};

function load(facility_id) {
  const found = world.facilities.find((each) => each.id === facility_id);
  if (found === undefined) throw failure("UNKNOWN_FACILITY", `There is no facility ${facility_id}.`, false);
  const stored = world.shipments.filter(
    (each) => each.facility_id === facility_id && each.status === "stored",
  );
  const stored_t = sum(stored.map((each) => each.tonnes));
  const percent = Math.round((100 * stored_t) / found.capacity_t);
  return { facility_id, stored_t, capacity_t: found.capacity_t, percent };
}

function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0);
}

function failure(code, message, retryable) {
  return Object.assign(new Error(message), { code, retryable });
}
