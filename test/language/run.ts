/**
 * `npm run language [-- --list comments|docs|strings]`: share of sentences that probably need a second reading. The command fails
 * if a share is above the limit in `limits.json`; lower the limit after each improvement.
 */

import { readFileSync } from "node:fs";
import { z } from "zod";
import { marksOf, needsSecondReading } from "./rules.ts";
import { POPULATIONS } from "./sentences.ts";

const KINDS = z.enum(["comments", "docs", "strings"]);
const limits = z
  .record(KINDS, z.number())
  .parse(JSON.parse(readFileSync(new URL("limits.json", import.meta.url), "utf8")));

const listed = process.argv[2] === "--list" ? KINDS.options.filter((kind) => kind === process.argv[3]) : [];
for (const kind of KINDS.options) {
  const sentences = POPULATIONS[kind]();
  const marked = sentences.filter(({ text }) => needsSecondReading(text));
  const share = Math.ceil((1_000 * marked.length) / sentences.length) / 10;
  if (listed.includes(kind))
    for (const { where, text } of marked) console.log(`${where} (${marksOf(text).join(", ")}) ${text}`);
  console.log(
    `${kind}: ${marked.length} of ${sentences.length} sentences, ${share} % (at most ${limits[kind]} %)`,
  );
  if (share <= limits[kind]) continue;
  console.error(`More ${kind} need a second reading. See them with: npm run language -- --list ${kind}`);
  process.exitCode = 1;
}
