/** The line of a call in the console: the tool's words around the title (41.1). */

import { expect, it } from "vitest";
import { activity } from "../../../../src/features/console/render/render-words.ts";
import type { MessageId } from "../../../../src/machine/id.ts";
import type { StoredContent } from "../../../../src/thread/prompt.ts";
import { sayIn } from "../../../../src/i18n/languages.ts";
import type { Language } from "../../../../src/i18n/say.ts";
import { looks } from "../../../looks.ts";

const lineOf = (
  name: string,
  input: unknown,
  status: "waiting" | "running" | "done",
  language: Language = "en",
) => {
  const words = new Map<MessageId, StoredContent>([
    ["m-1", { kind: "answer", blocks: [{ kind: "toolUse", id: "t1", name, input }] }],
  ]);
  const call = { id: "t1", name, intent: "tool" } as const;
  const body = { kind: "activity", message: "m-1", call, status, outcome: null } as const;
  const { before, title, after } = activity(body, { words, looks, say: sayIn(language) });
  return [before, title, after];
};

it.each([
  ["search_knowledge", { query: "retries" }, ["Searched the knowledge for", "retries", ""]],
  ["label_issue", { number: 4, add: ["bug", "ui"] }, ["Proposed labels", "", ""]],
  ["spawn_agents", { tasks: [{ task: "a" }, { task: "b" }] }, ["Started sub-agents", "2 tasks", ""]],
  ["open_pull_request", { title: "Fix it" }, ["Proposed a pull request:", "Fix it", ""]],
  ["of_a_removed_feature", { any: "x" }, ["Used", "of_a_removed_feature", ""]],
])("of %s with %j that is done", (name, input, line) => {
  expect(lineOf(name, input, "done")).toEqual(line);
});

it("begins with a capital while the call runs, and with its place in the round before", () => {
  expect(lineOf("bash", { command: "ls" }, "running")).toEqual(["Running", "ls", ""]);
  expect(lineOf("bash", { command: "ls" }, "waiting")).toEqual(["Next", "ls", ""]);
});

it("has the words behind the title where the language puts them there", () => {
  expect(lineOf("bash", { command: "ls" }, "running", "ja")).toEqual(["", "ls", "を実行中"]);
  expect(lineOf("bash", { command: "ls" }, "running", "de")).toEqual(["Führt", "ls", "aus"]);
});
