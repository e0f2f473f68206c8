/** How the questions of a week went, over HTTP: counted, for spreadsheets, and a page drafted from them. */

import { digestCsv } from "../../../src/features/digest/requests.ts";
import { expect, it, onTestFinished } from "vitest";
import { createRig, TOKEN } from "../../adapters/http/rig.ts";
import { openWeek } from "./open-week.ts";

const open = async (options: Parameters<typeof createRig>[0] = {}) => {
  const rig = await createRig({ opened: openWeek(), ...options });
  onTestFinished(() => rig.close());
  return rig;
};

it("a week is counted, of one channel as well, and one in which nobody asked is empty", async () => {
  const rig = await open();
  expect(await rig.call("GET", "/api/digest")).toMatchObject({
    status: 200,
    body: {
      isOver: false,
      channels: 2,
      counts: { questions: 6, answered: 5, unanswered: 1, up: 1, down: 1, stale: 1, solved: 1 },
      spentUsd: 0.27,
      spentEachUsd: 0.27,
      topics: [
        { name: "webhooks retry", questions: 3, codeOnly: 3, isMissed: true },
        { name: "login", isMissed: false },
      ],
      disliked: [{ question: "How are webhooks retried?", reasons: ["+It says nothing of the <delay>"] }],
      stale: ["Where is the login page?"],
    },
  });
  expect(await rig.call("GET", "/api/digest?channel=slack:CHELP")).toMatchObject({
    body: { counts: { questions: 1 } },
  });
  expect(await rig.call("GET", "/api/digest?week=2020-02-05")).toMatchObject({
    body: { week: "2020-02-03", isOver: true, counts: { questions: 0 }, topics: [] },
  });
  expect(await rig.call("GET", "/api/digest?week=soon")).toMatchObject({ status: 400 });
});

it("nothing in the spreadsheet is a formula", async () => {
  const rig = await open();
  const answer = await fetch(`${rig.origin}/api/digest/csv`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  expect(answer.headers.get("content-disposition")).toMatch(
    /^attachment; filename="parley-\d{4}-\d\d-\d\d\.csv"$/,
  );
  const text = await answer.text();
  expect(text.split("\r\n")[0]).toBe("week,kind,what,count,detail");
  expect(text).toContain(`"'=HYPERLINK(""https://evil.example"") login, please"`);
  expect(text).toContain("'+It says nothing of the <delay>");
  expect(text).toContain(",figure,questions,6,");
  for (const cell of text.split(/[\r\n,]+/)) expect(cell).not.toMatch(/^"?[=+\-@]/);
});

it.each([
  ["a;=1+1", `"'a;'=1+1"`],
  ["a\t@SUM(A1)", `"'a\t'@SUM(A1)"`],
  ["=1", "'=1"],
  ["plain; text - with a dash", `"plain; text - with a dash"`],
])("40.A12 a spreadsheet takes no part of %j for a formula", (what, cell) => {
  const counts = { questions: 1, answered: 0, unanswered: 1, up: 0, down: 0, again: 0, stale: 0, solved: 0 };
  const nothing = { spent: 0, spentEach: null, topics: [], others: 0, disliked: [], stale: [], cited: [] };
  const csv = digestCsv({ week: "2026-11-23", channels: 1, counts, ...nothing, unanswered: [what] });
  expect(csv).toContain(`,without an answer,${cell},`);
});

it("the page that a topic lacks is drafted in a conversation, from its questions as others' words", async () => {
  const rig = await open();
  const { body } = await rig.call("GET", "/api/digest");
  const [topic] = Object(body).topics;
  const { week } = Object(body);
  expect(await rig.call("POST", "/api/digest/draft", { week, topic: "0123456789ab" })).toMatchObject({
    status: 400,
  });
  rig.script.answer({ pieces: ["I look."] });
  const begun = await rig.call("POST", "/api/digest/draft", { week, topic: topic.key });
  expect(begun.status).toBe(200);
  const id = Object(begun.body).conversation;
  const detail = await rig.bot.read(id);
  const messages =
    detail?.posts.flatMap(({ post: { body: one } }) => (one.kind === "user" ? one.message : [])) ?? [];
  const told = JSON.stringify([...rig.bot.words(messages).values()]);
  expect(told).toContain("had no documentation page. Draft that page.");
  expect(told).toContain('<untrusted-quote author=\\"somebody who asked\\"');
  expect(told).toContain("| webhook retry delay");
  expect(detail).toMatchObject({ conversation: { surface: "console", createdBy: "console:operator" } });
});

it("who may not approve sees none of it", async () => {
  const rig = await open({ operator: { id: "console:operator", mayDrive: true, mayApprove: false } });
  for (const path of ["/api/digest", "/api/digest/csv"])
    expect(await rig.call("GET", path).catch(() => ({ status: 403 }))).toMatchObject({ status: 403 });
});
