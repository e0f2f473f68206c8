/** Formats numbers, times and names for people, in the language of the page. */

import { say } from "./words.ts";

export const number = (value: number, digits = 0): string => written(value, digits, {});

export const tokens = (count: number): string =>
  count < 1_000 ? number(count) : `${number(count / 1_000, count < 100_000 ? 1 : 0)}k`;

export const dollarText = (cost: number): string =>
  written(cost, centsOf(cost), { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" });

/** Formats an amount for an input field, independent of language: `0.50`. */
export const typedDollars = (cost: number): string => cost.toFixed(centsOf(cost));

/**
 * Reads an amount from an input field; null for `none`, which means no limit. NaN if the text is no amount.
 */
export const amountOf = (typed: string, none = "none"): number | null => {
  const digits = typed.replace("$", "").trim();
  return digits === none ? null : Number(digits === "" ? NaN : digits);
};

export const noAmount = (example: number): string =>
  say("Enter dollars a day as a number such as {example} or 0.50, or none for no limit.", { example });

/** Two digits would hide the cost of a cheap answer. */
const centsOf = (cost: number): number => (cost > 0 && cost < 0.01 ? 4 : 2);

/** Rounds once, so that a figure is the same in each language. */
const written = (value: number, digits: number, how: Intl.NumberFormatOptions): string =>
  Number(value.toFixed(digits)).toLocaleString(say.language, {
    ...how,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  });

export const spentOf = (spent: number, most: number | null): string =>
  most === null
    ? dollarText(spent)
    : say("{spent} of {most}", { spent: dollarText(spent), most: dollarText(most) });

export const seconds = (ms: number): string => {
  const whole = Math.round(ms / 1_000);
  return whole < 60
    ? say("{count} s", { count: number(ms / 1_000, 1) })
    : `${say("{count} min", { count: Math.floor(whole / 60) })} ${say("{count} s", { count: whole % 60 })}`;
};

/** Returns "now", "5 min", "3 h", or the day. */
export const ago = (at: number): string => {
  const minutes = Math.floor((Date.now() - at) / 60_000);
  if (minutes < 1) return say("now");
  if (minutes < 60) return say("{count} min", { count: minutes });
  if (minutes < 24 * 60) return say("{count} h", { count: Math.floor(minutes / 60) });
  return new Date(at).toLocaleDateString(undefined, { day: "numeric", month: "short" });
};

export const clock = (at: number): string =>
  new Date(at).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });

export const full = (at: number): string => new Date(at).toLocaleString();

/** Returns for example "512 bytes", "12 KB", "3.4 MB" or "76.2 GB". */
export const bytes = (size: number): string => {
  if (size < 1_024) return size === 1 ? say("1 byte") : say("{count} bytes", { count: size });
  const kilobytes = Math.round(size / 1_024);
  if (kilobytes < 1_024) return `${number(kilobytes)} KB`;
  const megabytes = size / 1_048_576;
  return megabytes < 1_023.95 ? `${number(megabytes, 1)} MB` : `${number(megabytes / 1_024, 1)} GB`;
};

export const shortCommit = (commit: string): string => commit.slice(0, 9);

/** Returns the last two parts of a path or URL. */
export const shortRepo = (repo: string): string =>
  repo
    .replace(/\/+$/, "")
    .replace(/\.git$/, "")
    .split(/[/:]/)
    .filter((part) => part !== "")
    .slice(-2)
    .join("/");

export const person = (id: string): string => (id === "console:operator" ? say("You") : id);

export const surfaceName = (surface: string): string => SURFACES.get(surface) ?? surface;

const SURFACES: ReadonlyMap<string, string> = new Map([
  ["console", say("Console")],
  ["gateway", say("OpenAI-compatible API")],
  ["slack", "Slack"],
  ["discord", "Discord"],
]);

/** Returns a conversation's title, or a placeholder if it has none yet. */
export const personNameOf = ({ title }: { readonly title: string }): string =>
  title === "" ? say("New conversation") : title;
