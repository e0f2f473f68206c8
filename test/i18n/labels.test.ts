/** 39.C Labels that pages and posts name in `*italics*` are labels that people can find: those of the catalog. */

import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import catalog from "../../src/i18n/de.json" with { type: "json" };

const LABEL = /(?<![*\w])\*([A-Z][^*\n{}]{1,50})\*(?![*\w])/g;
const known = new Set(Object.keys(catalog));

/** Buttons and menus of Slack, Discord, GitHub and others, whose names are theirs. */
const FOREIGN: ReadonlySet<string> = new Set(
  `Active|Add Scope|Administrator|Advanced|Allow|App ID|App Manifest|App-Level Tokens|Apps → Ask about this|
Ask Parley about this|Authorize|Basic Information|Bot|Bot User OAuth Token|Community|Continue|Copy User ID|
Copy link|Copy member ID|Create|Create New App|Developer Mode|Developer settings|From a manifest|Generate|
Generate Token and Scopes|Generate a private key|GitHub Apps|Install App|Install to|JSON|MCP Inspector|Manage Server|
Manage Threads|Manage apps|Message Content Intent|More actions|New Application|New GitHub App|Push events|Pushes|
Reset Token|Rovo MCP server|Save Changes|Security & access|Server Settings → Integrations|Settings|
Show Parley's steps|View Audit Log|View app details|View channel details|Webhook`
    .replaceAll("\n", "")
    .split("|"),
);
/** Questions as cards show them, with a name filled in or a question mark behind the catalog's sentence. */
const FILLED = [
  /\?$/,
  /^Edited by$/,
  /^Change …$/,
  /^Look twice$/,
  /^Write access to `api` for this thread$/,
];
/** Italics of a page that name no label: headings of this repository's pages, remarks and terms. */
const PROSE: ReadonlySet<string> = new Set([
  "Add a platform",
  "A decision is needed",
  "Long conversations",
  "Not tried in a real server yet:",
  "Not tried in a real workspace yet:",
  "Sources",
  "This host's kernel does not confine them",
  "Try with NAME",
  "Untrusted sources read so far",
  "Who may",
]);

const isKnown = (label: string): boolean =>
  known.has(label) || FOREIGN.has(label) || PROSE.has(label) || FILLED.some((form) => form.test(label));

const unknownIn = (texts: readonly string[]): readonly string[] =>
  texts
    .flatMap((text) => [...text.matchAll(LABEL)].map(([, label = ""]) => label))
    .filter((one) => !isKnown(one));

it("39.C every label that a post names is one of the catalog", () => {
  expect(unknownIn([...known])).toEqual([]);
});

it("39.C every label that a page names is one of the catalog, or of a platform", () => {
  const pages = [
    "README.md",
    ...readdirSync("docs")
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name}`),
  ];
  expect(unknownIn(pages.map((page) => readFileSync(page, "utf8")))).toEqual([]);
});

it("39.C a label that nobody can click is found", () => {
  expect(unknownIn(["*New with summary* goes on, *Start empty* waits."])).toEqual(["New with summary"]);
});
