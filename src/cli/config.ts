/** `parley config [--json]`: every setting as it is in force, and where it comes from. Secrets are never shown. */

import { sourceOf, variables } from "../host/settings/config.ts";
import { complain } from "./complain.ts";
import { loadConfig, projectRoot } from "./load-config.ts";

const USAGE = "Usage: parley config [--json]";

export const configCommand = (args: readonly string[]): number => {
  const asJson = args.includes("--json");
  if (args.some((arg) => arg !== "--json")) return complain(USAGE);
  const config = loadConfig();
  if (config === null) return 1;
  const values: Readonly<Record<string, unknown>> = config;
  const lines = variables.map((name) => ({
    name,
    value: shown(name, values[name]),
    source: sourceOf(name, process.env, projectRoot),
  }));
  if (asJson) {
    console.log(JSON.stringify(Object.fromEntries(lines.map(({ name, ...rest }) => [name, rest])), null, 2));
    return 0;
  }
  const widest = (column: "name" | "value"): number =>
    Math.min(60, Math.max(...lines.map((line) => line[column].length)));
  for (const { name, value, source } of lines) {
    console.log(`${name.padEnd(widest("name"))}  ${value.padEnd(widest("value"))}  ${source}`);
  }
  return 0;
};

/** A proxy's address may hold a password. */
const PROXY = /^HTTPS?_PROXY$/;

const SECRET = /(KEY|TOKEN|SECRET|HEADERS|PASSWORD)$|^AWS_(ACCESS|BEARER|SECRET|SESSION)_/;
/** What follows the path may be a key. */
const ADDRESS = /(URL|ENDPOINT)$/;

/** As it would be written in `.env`. */
const shown = (name: string, value: unknown): string => {
  if (value === undefined || isEmptyRecord(value)) return "(unset)";
  if (SECRET.test(name)) return "(set, hidden)";
  if (value === null) return "none";
  if (name === "OTEL_SDK_DISABLED") return value === true ? "true" : "false";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value)) return value.length === 0 ? "(none)" : value.join(",");
  if (typeof value === "number" && BUDGET.test(name)) return String(value / 1_000_000);
  if (typeof value !== "string") return JSON.stringify(value);
  if (name === "PARLEY_DATABASE")
    return value.replace(/:[^:@/]*@/, ":(hidden)@").replace(/[?#].*$/s, "?(hidden)");
  if (PROXY.test(name)) return withoutPassword(value);
  return ADDRESS.test(name) ? value.replace(/[?#].*$/s, "?(hidden)") : value;
};

const withoutPassword = (address: string): string => {
  const url = new URL(address);
  if (url.password !== "") url.password = "(hidden)";
  return url.href.replace("%28hidden%29", "(hidden)");
};

/** Kept in millionths of a dollar. */
const BUDGET = /^PARLEY_(BUDGET_|ASK_ABOVE$)/;

const isEmptyRecord = (value: unknown): boolean =>
  typeof value === "object" && !Array.isArray(value) && value !== null && Object.keys(value).length === 0;
