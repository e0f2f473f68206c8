/** A finished change as scripts see it: the question, its four answers, and that an older card has expired (D42). */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApprovedWrite } from "../../../../src/ports/tools.ts";
import { toolResult } from "../../../runtime/world.ts";
import { resultOf } from "../../../threads/drafted.ts";
import { phase, posts } from "../../../adapters/http/ask.ts";
import { createRig, field, type Rig } from "../../../adapters/http/rig.ts";

const one = resultOf(2);
/** In two commits. */
const shown = {
  ...one,
  result: { ...one.result, commits: [{ title: "Twice", tree: "dead".repeat(10) }, ...one.result.commits] },
};
const errands: ApprovedWrite[] = [];
/** What the draft holds by now. */
let now = shown.result.tree;

let rig: Rig;
beforeAll(async () => {
  rig = await createRig({
    drafted: {
      writes: {
        propose: ({ name }) => Promise.resolve(name === "propose" ? shown : { kind: "none" }),
        write: (_run, errand) => {
          errands.push(errand);
          return Promise.resolve(
            now === shown.result.tree
              ? { outcome: toolResult("Done"), wrote: { kind: "done", name: "parley/c-1" } }
              : { outcome: toolResult("Void"), wrote: { kind: "void", why: "the draft has changed." } },
          );
        },
      },
      drafts: { tree: () => Promise.resolve({ kind: "tree", tree: now }) },
    },
  });
});
afterAll(() => rig.close());

/** The id of the question that waits. */
const openOf = async (id: string): Promise<string> => {
  const { question } = Object.fromEntries(Object.entries(await phase(rig, id, "awaitingApproval")));
  return field(question, "id");
};

const proposed = async (): Promise<{
  readonly id: string;
  readonly path: string;
  readonly question: string;
}> => {
  now = shown.result.tree;
  const id = await rig.begin();
  rig.script.answer({ uses: [{ name: "propose", input: { title: "T", summary: "S" } }] });
  await rig.call("POST", `/api/conversations/${id}/messages`, { text: "Fix it." });
  const question = await openOf(id);
  return { id, path: `/api/conversations/${id}/actions`, question };
};

describe("a finished change", () => {
  it("is a question of the kind result, with the tree and everything that would be", async () => {
    const { id, path } = await proposed();
    const { tree, base, files, test, diff } = shown.result;
    expect(await phase(rig, id, "awaitingApproval")).toMatchObject({
      permission: "restricted",
      question: {
        kind: "result",
        choices: [
          { id: "apply" },
          { id: "pull_request" },
          { id: "changes" },
          { id: "discard" },
          { id: "apply", commits: 1 },
        ],
        details: { tree, base, files, test, diff },
      },
    });
    await rig.call("POST", path, { action: "stop" });
  });

  it.each([
    ["apply", "apply_draft"],
    ["pull_request", "open_pull_request"],
    ["discard", "discard_draft"],
  ])("%s is carried out, and the permission stays", async (choice, write) => {
    const { id, path, question } = await proposed();
    rig.script.answer({ pieces: ["There it is."] });
    const done = await rig.call("POST", path, { action: "decide", question, choice });
    expect(done).toEqual({ status: 200, body: { result: "done" } });
    expect(await phase(rig, id, "idle")).toMatchObject({ permission: "restricted" });
    expect(errands.at(-1)).toMatchObject({ approved: { write, fingerprint: shown.fingerprint } });
    const late = await rig.call("POST", path, { action: "decide", question, choice: "apply" });
    expect(late).toMatchObject({ body: { result: "already_decided", by: "console:operator" } });
  });

  it("of several commits is applied as far as somebody says", async () => {
    const { id, path, question } = await proposed();
    rig.script.answer({ pieces: ["There it is."] });
    const decide = { action: "decide", question, choice: "apply" };
    const many = await rig.call("POST", path, { ...decide, commits: 3 });
    expect(many).toMatchObject({ status: 400, body: { error: { code: "wrong_choice" } } });
    const done = await rig.call("POST", path, { ...decide, commits: 1 });
    expect(done).toEqual({ status: 200, body: { result: "done" } });
    expect(errands.at(-1)).toMatchObject({ approved: { write: "apply_draft", commits: 1 } });
    await phase(rig, id, "idle");
  });

  it("sent back, what is wanted is the next turn, and the older card has expired", async () => {
    const { id, path, question } = await proposed();
    const wordless = await rig.call("POST", path, { action: "decide", question, choice: "changes" });
    expect(wordless).toMatchObject({ status: 409, body: { error: { code: "no_words" } } });
    rig.script.answer({ uses: [{ name: "propose", input: { title: "T", summary: "S" } }] });
    const text = "Three tries, please.";
    const sent = await rig.call("POST", path, { action: "decide", question, choice: "changes", text });
    expect(sent).toEqual({ status: 200, body: { result: "done" } });
    await expect.poll(() => openOf(id)).not.toBe(question);
    const before = errands.length;
    const late = await rig.call("POST", path, { action: "decide", question, choice: "apply" });
    expect(late).toMatchObject({ status: 200, body: { result: "expired", by: "console:operator" } });
    expect(errands).toHaveLength(before);
    const told = posts(await phase(rig, id, "awaitingApproval"));
    expect(told).toContainEqual(expect.objectContaining({ kind: "user", markdown: text }));
    expect(told).toContainEqual(
      expect.objectContaining({ decision: expect.objectContaining({ choice: "changes", comment: text }) }),
    );
  });

  it("whose draft has changed since it was shown has expired, and its card says so", async () => {
    const { id, path, question } = await proposed();
    now = "0".repeat(40);
    rig.script.answer({ pieces: ["I show it again."] });
    const late = await rig.call("POST", path, { action: "decide", question, choice: "apply" });
    expect(late).toMatchObject({ status: 200, body: { result: "expired" } });
    expect(JSON.stringify(await phase(rig, id, "idle"))).toContain("the draft has changed.");
  });
});
