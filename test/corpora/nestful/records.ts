/* Functions of NESTFUL about dates, addresses, keys, hashes and objects, by the meanings in its `functions.json`. */
import { createHash, createHmac } from "node:crypto";
import type { Json, JsonObject } from "../../../src/base/json.ts";

export const records = {
  check_availability: (value: Json) => value !== null,
  create_database_key: (text: string) => `key_${[...text].sort().join("-")}`,
  create_id: (value: Json, prefix: string) => {
    const kind = Array.isArray(value) ? "list" : typeof value;
    return `${prefix}_${kind}_${JSON.stringify(value).replaceAll(",", ", ")}`;
  },
  date_format: (date: string) => {
    const [year, month, day] = date.split("-");
    return `${month}-${day}-${year}`;
  },
  find_value_in_nested_dictionary: (object: JsonObject, part: string) =>
    Object.keys(object).find((key) => typeof object[key] === "string" && object[key].includes(part)) ?? null,
  format_directory: (path: string) =>
    path
      .split("/")
      .map((part) => `${part}/\n`)
      .join(""),
  format_pretty_time: (seconds: number) =>
    [seconds / 3600, (seconds / 60) % 60, seconds % 60]
      .map((part) => String(Math.floor(part)).padStart(2, "0"))
      .join(":"),
  generate_comment: (name: string, comment: string) => `\n\nAuthor: ${name}\n\nComment: ${comment}\n\n`,
  generate_uuid_from_string: uuidOfUrl,
  get_branch_url: (repo: string, branch: string) => `https://github.com/${repo}/tree/${branch}`,
  get_euro_date: (date: string) => {
    const [month, day, year] = date.split("/");
    return `${day}.${month}.${year}`;
  },
  get_string_numbers: (list: Json[]) =>
    list.map((item, i) => `${i + 1} element ${JSON.stringify(item)}\n`).join(""),
  get_year: (date: string) => Number(date.split("/")[2]),
  hash_json: (value: Json) => createHash("sha256").update(JSON.stringify(value)).digest("hex"),
  hmac_sha256: (message: string, secret: string) =>
    Buffer.from(createHmac("sha256", secret).update(message).digest("hex")).toString("base64"),
  json_to_nested_dict: (json: string) => JSON.parse(json) as Json,
  load_uuid_to_user_id_map: () => ({}),
  parse_string_field: (text: string, name: string) => {
    const pairs = text.split(/\s+/).map((pair) => pair.split("="));
    return pairs.find(([key]) => key === name)?.[1] ?? null;
  },
  process_file_path: (path: string) => path.replace(/(\.[^./]*)?$/, "_processed$1"),
  swap_dictionary: (object: JsonObject) =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [String(value), key])),
  time_format_convert_d2h: (seconds: number) =>
    [seconds / 86_400, (seconds / 3600) % 24, (seconds / 60) % 60, seconds % 60].map(Math.floor).join(":"),
  type_checker: (value: Json) => {
    if (value === null) return "None";
    if (typeof value === "boolean" || typeof value === "string") return typeof value;
    return Number.isInteger(value) ? "integer" : "unknown";
  },
};

const URL_NAMESPACE = "6ba7b8119dad11d180b400c04fd430c8";

/** UUID version 5 in the URL namespace. */
function uuidOfUrl(text: string): string {
  const bytes = createHash("sha1").update(Buffer.from(URL_NAMESPACE, "hex")).update(text).digest();
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    "-",
  );
}
