/* From a call's arguments to a request. */
import { quote } from "../../base/describe.ts";
import { isList, isObject, type Json, type JsonObject } from "../../base/json.ts";
import { refuse } from "../core/refuse.ts";
import type { Operation, Parameter } from "./operations.ts";

export interface RequestParts {
  readonly url: URL;
  readonly headers: Map<string, string>;
  readonly body: string | undefined;
}

export function requestParts(operation: Operation, base: URL, args: JsonObject): RequestParts {
  const url = new URL(base);
  const headers = new Map<string, string>();
  const cookies: string[] = [];
  let path = operation.path;
  for (const parameter of operation.parameters) {
    const value = args[parameter.key] ?? null;
    if (parameter.place === "path") path = path.replaceAll(`{${parameter.name}}`, segment(parameter, value));
    if (value === null) continue;
    if (parameter.place === "header") headers.set(parameter.name.toLowerCase(), headerText(parameter, value));
    if (parameter.place === "cookie") cookies.push(`${parameter.name}=${encodeURIComponent(plain(value))}`);
    if (parameter.place === "query") addQuery(url.searchParams, parameter, value);
  }
  if (cookies.length > 0) headers.set("cookie", cookies.join("; "));
  url.pathname = `${base.pathname.replace(/\/$/, "")}${path}`;
  const body = args.body ?? undefined;
  if (body !== undefined && operation.bodyType !== undefined) headers.set("content-type", operation.bodyType);
  return { url, headers, body: body === undefined ? undefined : bodyText(operation.bodyType, body) };
}

/** One name of the path. `..` is not encoded by anything, and would be another path. */
function segment({ key, explode }: Parameter, value: Json): string {
  const text = simple(value, explode);
  if (text === "" || /^\.{1,2}$/.test(text))
    throw refuse("INVALID_REQUEST", `${quote(text)} cannot stand in the path for "${key}".`);
  return encodeURIComponent(text);
}

function headerText({ key, explode }: Parameter, value: Json): string {
  const text = simple(value, explode);
  if (/[^\t\x20-\x7e\x80-\xff]/.test(text))
    throw refuse("INVALID_REQUEST", `The value of "${key}" holds a character that headers cannot carry.`);
  return text;
}

function addQuery(query: URLSearchParams, { name, style, explode }: Parameter, value: Json): void {
  if (isList(value)) {
    const separator = style === "pipeDelimited" ? "|" : style === "spaceDelimited" ? " " : ",";
    if (explode) for (const item of value) query.append(name, plain(item));
    else query.append(name, value.map(plain).join(separator));
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (style === "deepObject") query.append(`${name}[${key}]`, plain(item));
      else if (explode) query.append(key, plain(item));
    }
    if (style !== "deepObject" && !explode) query.append(name, pairs(value, false));
  } else {
    query.append(name, plain(value));
  }
}

/** The style of paths and headers: with commas. */
function simple(value: Json, explode: boolean): string {
  if (isList(value)) return value.map(plain).join(",");
  return isObject(value) ? pairs(value, explode) : plain(value);
}

function pairs(value: JsonObject, explode: boolean): string {
  return Object.entries(value)
    .map(([key, item]) => `${key}${explode ? "=" : ","}${plain(item)}`)
    .join(",");
}

function plain(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function bodyText(type: string | undefined, body: Json): string {
  if (type === "text/plain") return plain(body);
  if (type !== "application/x-www-form-urlencoded" || !isObject(body)) return JSON.stringify(body);
  const form = new URLSearchParams();
  for (const [key, value] of Object.entries(body))
    for (const item of isList(value) ? value : [value]) if (item !== null) form.append(key, plain(item));
  return form.toString();
}
