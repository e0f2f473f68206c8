/**
 * Reads an event from the body of any program. Title, text, link and fingerprint come from paths of the watch, or from the
 * usual names. Pure.
 */

import { createHash } from "node:crypto";
import type { WatchSource, WatchEvent } from "../store/watches.ts";

export type WebhookEvent = Omit<WatchEvent, "watch" | "delivery" | "at" | "post" | "follows">;

const TITLES = ["title", "subject", "summary", "name", "alert", "message", "event.title", "data.issue.title"];
const TEXTS = ["text", "description", "body", "message", "details", "event.message", "data.issue.culprit"];
const LINKS = ["link", "url", "html_url", "permalink", "web_url", "data.issue.permalink"];
const KEYS = ["fingerprint", "group_key", "groupKey", "incident.id", "dedup_key", "data.issue.id"];

/** Maximum number of characters of a body that is used as text. */
const MOST_TEXT = 16_384;

/** `written`: the raw body, for events without a recognizable text. */
export const readGeneric = (
  source: WatchSource & { readonly kind: "hook" },
  body: unknown,
  written: string,
): WebhookEvent => {
  const title = source.title === null ? firstOf(TITLES, body) : fillTemplate(source.title, body);
  const text =
    source.text === null
      ? (firstOf(TEXTS, body) ?? written.slice(0, MOST_TEXT))
      : fillTemplate(source.text, body);
  const key = source.key === null ? firstOf(KEYS, body) : fillTemplate(source.key, body);
  const matter = key === null || key === "" ? (title ?? text) : key;
  return {
    title: title ?? "",
    text: text === title ? "" : text,
    link: firstOf(LINKS, body),
    fingerprint: createHash("sha256").update(matter).digest("hex").slice(0, 32),
  };
};

const firstOf = (paths: readonly string[], body: unknown): string | null => {
  for (const path of paths) {
    const found = fillTemplate(path, body);
    if (found !== "") return found;
  }
  return null;
};

const MOST_STEPS = 20;

/**
 * The value at a path such as `data.issues[0].title`, or a text with paths in `{{…}}`. An object or a list becomes one line of
 * JSON. Empty if the path does not exist.
 */
export const fillTemplate = (template: string, body: unknown): string =>
  template.includes("{{")
    ? template.replaceAll(/\{\{\s*([^{}]{1,200}?)\s*\}\}/g, (_, path: string) => textAt(path, body))
    : textAt(template, body);

const textAt = (path: string, body: unknown): string => {
  const found = stepsOf(path).reduce<unknown>((at, step) => below(at, step), body);
  if (found === undefined || found === null) return "";
  return typeof found === "string" ? found : written(found);
};

/** Empty if the value is nested too deep for JSON. */
const written = (value: unknown): string => {
  try {
    return JSON.stringify(value);
  } catch {
    return "";
  }
};

const stepsOf = (path: string): readonly string[] =>
  path
    .replaceAll(/\[(\d{1,6})\]/g, ".$1")
    .split(".")
    .filter((step) => step !== "" && step !== "$")
    .slice(0, MOST_STEPS);

const below = (at: unknown, step: string): unknown =>
  typeof at === "object" && at !== null && Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined;
