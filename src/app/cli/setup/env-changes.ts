/** Changes settings in the text of `.env`, and keeps every other line, comment and line ending. */

import { secrecyOfSetting } from "../../settings/config.ts";
import { parseEnvText } from "../../settings/env-file.ts";

export type EnvChange =
  /** `diff`: lines for the terminal, without secrets. Empty if nothing changes. */
  | { readonly kind: "changed"; readonly text: string; readonly diff: readonly string[] }
  /** `why`: one sentence that says what to do. */
  | { readonly kind: "refused"; readonly why: string };

export const changeEnv = (text: string, settings: Readonly<Record<string, string>>): EnvChange => {
  const before = parseEnvText(text).values;
  const changed = Object.entries(settings).filter(([name, value]) => (before[name] ?? "") !== value);
  const unwritable = changed.find(([, value]) => quoted(value) === null);
  if (unwritable !== undefined) {
    const [name] = unwritable;
    return {
      kind: "refused",
      why: `The value of ${name} cannot be written into .env: use one line without both kinds of quotes.`,
    };
  }
  const end = text.includes("\r\n") ? "\r" : "";
  const lines = text === "" ? [] : text.split("\n");
  const added: string[] = [];
  for (const [name, value] of changed) {
    const line = `${name}=${quoted(value) ?? ""}`;
    const place = assignmentsIn(lines).findLast((one) => one.name === name);
    if (place === undefined) added.push(line);
    else {
      const last = lines[place.to]?.endsWith("\r") === true ? "\r" : "";
      lines.splice(place.from, place.to - place.from + 1, `${place.head}${line}${last}`);
    }
  }
  const written = (added.length === 0 ? lines : appended(lines, added, end)).join("\n");
  const fault = firstFault(written, before, settings);
  if (fault !== null) {
    return {
      kind: "refused",
      why: `.env cannot be changed safely near ${fault}: put that setting on one line and run setup again.`,
    };
  }
  return {
    kind: "changed",
    text: written,
    diff: changed.flatMap(([name, value]) => diffLines(name, before[name], value)),
  };
};

/** Null if no form of quotes lets both Node and systemd read the value. */
const quoted = (value: string): string | null => {
  if (/[\r\n]/.test(value)) return null;
  if (PLAIN.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  return /["\\$`]/.test(value) ? null : `"${value}"`;
};

const PLAIN = /^[\w./:@,+=*%~^-]*$/;

interface Assignment {
  readonly name: string;
  /** Text before the name: blanks and `export`. */
  readonly head: string;
  readonly from: number;
  readonly to: number;
}

const assignmentsIn = (lines: readonly string[]): readonly Assignment[] => {
  const found: Assignment[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const [, head, name, value = ""] =
      /^(\uFEFF?\s*(?:export\s+)?)([\w.-]+)\s*=[ \t]*(.*)$/.exec(bare(lines[index])) ?? [];
    if (head === undefined || name === undefined) continue;
    const from = index;
    const [quote = ""] = value;
    if (`"'\``.includes(quote) && quote !== "" && !value.slice(1).includes(quote)) {
      const close = lines.findIndex((line, at) => at > from && line.includes(quote));
      if (close > 0) index = close;
    }
    found.push({ name, head, from, to: index });
  }
  return found;
};

const bare = (line: string | undefined): string => (line ?? "").replace(/\r$/, "");

const HEADING = "# Written by parley setup";

/** `end`: character before the line feed. */
const appended = (lines: readonly string[], added: readonly string[], end: string): readonly string[] => {
  const isOpen = lines.length > 0 && lines.at(-1) !== "";
  const body = isOpen ? [...lines.slice(0, -1), `${lines.at(-1)}${end}`] : lines.slice(0, -1);
  const gap = body.length === 0 ? [] : [""];
  const heading = body.some((line) => bare(line) === HEADING) ? [] : [...gap, HEADING];
  return [...body, ...[...heading, ...added].map((line) => `${line}${end}`), ""];
};

/** Name of a setting that does not read back as intended; null if all do. */
const firstFault = (
  written: string,
  before: Readonly<Record<string, string | undefined>>,
  settings: Readonly<Record<string, string>>,
): string | null => {
  const { values, ambiguous } = parseEnvText(written);
  if (ambiguous !== null) return `line ${ambiguous}`;
  const wanted = { ...before, ...settings };
  const names = new Set([...Object.keys(wanted), ...Object.keys(values)]);
  return [...names].find((name) => (values[name] ?? "") !== (wanted[name] ?? "")) ?? null;
};

const diffLines = (name: string, before: string | undefined, value: string): readonly string[] => [
  ...(before === undefined || before === "" ? [] : [`- ${name}=${shownSetting(name, before)}`]),
  `+ ${name}=${shownSetting(name, value)}`,
];

/** Hides secrets except for their first and last characters. */
export const shownSetting = (name: string, value: string): string => {
  const secrecy = secrecyOfSetting(name);
  if (secrecy === "part") return value.replace(/\?.*$/, "?…").replace(/\/\/[^/@]*@/, "//…@");
  return secrecy === "whole" || /_(KEY|TOKEN)$/.test(name) ? masked(value) : value;
};

/** Shorter values would show too much of themselves. */
const LONG = 24;

const masked = (value: string): string => {
  if (value.length < LONG) return "…";
  const [head = ""] = /^[a-z]{2,5}[-_]/.exec(value) ?? [];
  return `${head}…${value.slice(-4)}`;
};
