/** The Steps pages of both platforms name each cited file once, with its lines as ranges. */

import { expect, it } from "vitest";
import { stepsBody } from "../../../adapters/discord/write/steps-message.ts";
import { stepsModal } from "../../../adapters/slack/write/steps-modal.ts";
import { english } from "../../../src/i18n/say.ts";
import type { StepSheet } from "../../../src/ports/chat.ts";
import type { Citation } from "../../../src/text/citation.ts";
import { conversationOf } from "../../store/plain.ts";

const COMMIT = "c".repeat(40);

const one = (file: string, from: number, to = from): Citation => ({
  path: file,
  from,
  to,
  file,
  status: "found",
});

const sheetOf = (project: string, citations: readonly Citation[]): StepSheet => ({
  conversation: conversationOf("c-1", {
    repo: { kind: "url", location: `https://github.com/${project}.git` },
    base: { commit: COMMIT, ref: "main", cwd: "/work" },
  }),
  asker: "Ada",
  footer: null,
  citations,
  steps: [],
  notes: [],
  say: english,
  isWhole: true,
});

const slackLine = (sheet: StepSheet): string =>
  stepsModal(sheet, 0, { channel: "C1", root: null, value: "" })
    .blocks.map((block) => JSON.stringify(block))
    .find((block) => block.includes("Sources: ")) ?? "";

it("links each range of lines to its place", () => {
  const sheet = sheetOf("acme/api", [one("a.ts", 20), one("a.ts", 3, 5), one("a.ts", 6, 9), one("b.ts", 1)]);
  const at = `https://github.com/acme/api/blob/${COMMIT}`;
  expect(slackLine(sheet)).toContain(
    `Sources: <${at}/a.ts?plain=1#L3-L9|a.ts:3-9>, <${at}/a.ts?plain=1#L20|20>, <${at}/b.ts?plain=1#L1|b.ts:1>`,
  );
  expect(JSON.stringify(stepsBody(sheet, 0, ""))).toContain(
    `Sources: [\`a.ts:3-9\`](<${at}/a.ts?plain=1#L3-L9>), [\`20\`](<${at}/a.ts?plain=1#L20>), [\`b.ts:1\`](<${at}/b.ts?plain=1#L1>)`,
  );
});

it("is never longer than a context block of Slack, however many lines are cited and however long the links", () => {
  const name = "n".repeat(180);
  const cited = ["a", "b", "c", "d", "e", "f"].flatMap((folder) =>
    Array.from({ length: 20 }, (_, index) => one(`${folder}/${name}.ts`, 1_000 + 2 * index)),
  );
  const block = slackLine(sheetOf(`acme/${"p".repeat(80)}`, cited));
  expect(block).toMatch(/^[^<]*Sources: (?:<https:[^>]+ts:1000> and 19 more, ){5}1 more"/);
  // A short link leaves room for more.
  expect(slackLine(sheetOf("acme/api", cited.slice(0, 20))).match(/https:/g)).toHaveLength(7);
});
