/** Secrets are never printed. */

import { isAmountSetting, secrecyOfSetting, sourceOf, variables } from "../settings/config.ts";
import { complain } from "./shared/complain.ts";
import { loadConfig, projectRoot } from "./shared/load-config.ts";

const USAGE = "Usage: parley config [--json]";

export const configCommand = (args: readonly string[]): number => {
  const asJson = args.includes("--json");
  if (args.some((arg) => arg !== "--json")) return complain(USAGE);
  const config = loadConfig();
  if (config === null) return 1;
  const values: Readonly<Record<string, unknown>> = Object.assign(
    {},
    config,
    ...[...config.platforms, ...config.features].map((one) => one.values),
  );
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

/** Formats a value as in `.env`. */
const shown = (name: string, value: unknown): string => {
  if (value === undefined || isEmptyRecord(value)) return "(unset)";
  if (secrecyOfSetting(name) === "whole") return "(set, hidden)";
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value))
    return value.length === 0 ? "(none)" : value.map((one) => withoutPassword(String(one))).join(",");
  if (typeof value === "number" && isAmountSetting(name)) return String(value / 1_000_000);
  if (typeof value !== "string") return JSON.stringify(value);
  const open = withoutPassword(value);
  // The text after the path may contain a key.
  return secrecyOfSetting(name) === "part" ? open.replace(/[?#].*$/s, "?(hidden)") : open;
};

/** An unencoded password may contain any character, so the last @ ends it. The result may hide too much, never too little. */
const withoutPassword = (value: string): string =>
  value
    .replace(/^([a-z][\w+.-]*:\/\/)([^:@/]*):[^]*@/i, "$1$2:(hidden)@")
    .replaceAll(/\b(password|passwd|pwd)(\s*=\s*)[^]*/gi, "$1$2(hidden)");

const isEmptyRecord = (value: unknown): boolean =>
  typeof value === "object" && !Array.isArray(value) && value !== null && Object.keys(value).length === 0;
