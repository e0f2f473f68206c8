/**
 * 39.C Words that pages and posts write in `*italics*` are labels that people can find: those of the catalog, of the source or of
 * a platform. Buttons in tables of pages are bold.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import catalog from "../../src/i18n/de.json" with { type: "json" };
import { root } from "../app/cli/host.ts";

const keys = Object.keys(catalog);
const sources = ["src", "adapters"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(join(root, folder, name), "utf8")),
  )
  .join("\n");
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
].map((page) => readFileSync(join(root, page), "utf8"));

/** Buttons and menus of Slack, Discord, GitHub and other services. */
const FOREIGN: ReadonlySet<string> = new Set(
  `Active|Add Scope|Advanced|Allow|App ID|App Manifest|App-Level Tokens|Apps|Authorize|Basic Information|Bot|
Bot User OAuth Token|Community|Continue|Copy User ID|File sharing|Resources|OAuth & Permissions|
Create and Install|Your App Configuration Tokens|Copy link|Copy member ID|Create|Create New App|Developer Mode|
Developer settings|From a manifest|Generate|Generate Token and Scopes|Generate a private key|GitHub Apps|Install App|Install to|
Integrations|JSON|MCP Inspector|Manage Server|Manage Threads|Manage apps|Message Content Intent|More actions|New Application|
New GitHub App|Reset Token|Rovo MCP server|Save Changes|Security & access|Server Settings|Settings|View Audit Log|
View app details|View channel details|Webhook`
    .replaceAll("\n", "")
    .split("|"),
);

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
/** Sentences of the catalog with a word in place of each value. */
const filled = keys
  .filter((key) => /\{\w+\}/.test(key))
  .map(
    (key) =>
      new RegExp(
        `^${key
          .split(/\{\w+\}/)
          .map(escaped)
          .join(String.raw`\S+`)}$`,
      ),
  );
/** Words that a page quotes from a longer sentence. */
const QUOTED_WORDS = 5;

const isKnown = (label: string): boolean => {
  const exact = label.replace(/[.:?]$/, "");
  const begin = exact.replace(/ ?…$/, "");
  return (
    [label, exact].some((text) => keys.includes(text) || FOREIGN.has(text)) ||
    filled.some((form) => form.test(exact)) ||
    keys.some((key) => key.startsWith(begin) && /^(?::? \{|$)/.test(key.slice(begin.length))) ||
    (exact.endsWith("…") && keys.some((key) => key.startsWith(begin))) ||
    (exact.split(" ").length >= QUOTED_WORDS && keys.some((key) => key.includes(exact))) ||
    [`"${exact}"`, `\`${exact} \${`].some((literal) => sources.includes(literal))
  );
};

/** Paragraphs, list items and rows, each in one line, without code blocks. An asterisk in code is no mark. */
const blocksIn = (text: string): readonly string[] =>
  text
    .replaceAll(/^ *```[^]*?^ *```$/gm, "")
    .replaceAll(/`[^`]*`/g, (code) => code.replaceAll("*", "∗"))
    .split(/\n\s*\n|\n(?=\s*(?:\||[-*] |\d+\. |#))/)
    .map((block) => block.replaceAll(/\s*\n\s*/g, " "));

const ITALIC = /(?<![*\w\\])\*([^*\s](?:[^*]*[^*\s])?)\*(?![*\w])/g;
const BUTTONS = /\*\*([^*]+)\*\*/g;

const labelsIn = (text: string, pattern: RegExp): readonly string[] =>
  blocksIn(text)
    .flatMap((block) => [...block.matchAll(pattern)].map(([, label = ""]) => label))
    .flatMap((label) => label.replaceAll("`", "").split(" → "));

const unknownIn = (texts: readonly string[], pattern: RegExp = ITALIC): readonly string[] =>
  texts.flatMap((text) => labelsIn(text, pattern)).filter((label) => !isKnown(label));

/** First cells of tables whose first column has one of the titles. */
const firstCells = (text: string, title: RegExp): readonly string[] =>
  text
    .split(/\n\s*\n/)
    .map((block) => block.split("\n").filter((line) => line.startsWith("|")))
    .filter(([head = ""]) => title.test(head))
    .flatMap((lines) => lines.slice(2).map((line) => line.split("|")[1]?.trim() ?? ""));

/** Beginnings of posts, and a message that people type. */
const EMPHASIS: ReadonlySet<string> = new Set(["A decision is needed", "{end}", "go on"]);

it("39.C every label that a post names is one of the catalog", () => {
  expect(unknownIn(keys).filter((label) => !EMPHASIS.has(label))).toEqual([]);
});

it("39.C every label that a page names is one of the catalog, of the source or of a platform", () => {
  expect(pages.flatMap((page) => labelsIn(page, ITALIC)).length).toBeGreaterThan(100);
  expect(unknownIn(pages)).toEqual([]);
});

it("39.C every button in a table of a page is one of the catalog", () => {
  const cells = pages.flatMap((page) => firstCells(page, /^\| button \|/i));
  expect(cells.length).toBeGreaterThan(10);
  expect(unknownIn(cells, BUTTONS)).toEqual([]);
});

const refusalForm = (cell: string): RegExp =>
  new RegExp(`^(?:\\*\\*)?${cell.split(/ ?… ?/).map(escaped).join(".*")}`);

it("39.C every refusal that docs/using.md quotes begins a sentence of the catalog", () => {
  const cells = firstCells(readFileSync(join(root, "docs/using.md"), "utf8"), /^\| You see \|/);
  const quoted = cells.filter((cell) => cell.includes("…"));
  expect(quoted.length).toBeGreaterThan(8);
  expect(quoted.filter((cell) => !keys.some((key) => refusalForm(cell).test(key)))).toEqual([]);
});

it.each([
  ["*New with summary* continues, *Start empty* waits.", ["New with summary"]],
  ["Open *Continue with this\nmemory*.", ["Continue with this memory"]],
  ["| *the model decides* | *Stop* |", ["the model decides"]],
  ["A term in *emphasis*, `a * b * c`, *Try with NAME* and *Bot → Settings*.", ["emphasis"]],
  ["*Call tracker/create_issue?* and *Call a tracker*", ["Call a tracker"]],
])("39.C of %j, the unknown labels are found", (text, unknown) => {
  expect(unknownIn([text])).toEqual(unknown);
});
