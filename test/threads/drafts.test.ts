/**
 * What becomes of a draft and its card where people, money, files or the disk do not go along (D42): on Slack and GitHub
 * with one commit of the project, on Discord and GitLab with another.
 */

import { describe, expect, it } from "vitest";
import type { ConversationId } from "../../src/machine/id.ts";
import type { ModelOutcome } from "../../src/ports/model.ts";
import type { Tools } from "../../src/ports/tools.ts";
import { failedWrite } from "../../src/tools/writing.ts";
import { sentence } from "../../src/workspace/run/git-trouble.ts";
import { onGitHub, onGitLab } from "../fakes/side.ts";
import { createForgeScene, use } from "../e2e/forge/scene.ts";
import { textAnswer, toolResult } from "../runtime/world.ts";
import { oneOfCases } from "../sample.ts";
import { change, propose } from "./drafted.ts";
import { discordStage, slackStage } from "./stage.ts";

const TASK = "@parley The upload gives up too early. Try three times.";
const drafting = [use("draft", {}), change(0, 3)];
const proposing = propose("Three tries, and the test passes.");
const DIFF = /\+export const ATTEMPTS = 3;/;

const spent = (whose: string): ModelOutcome => ({
  kind: "failed",
  failure: { kind: "budget", message: `${whose} budget for today is used up.`, retryAfter: null },
});

const untilStopped = (signal: AbortSignal): Promise<ModelOutcome> =>
  new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve({ kind: "aborted" }));
  });

/** Everything is real but the model's words; `waits`: for somebody who stops it. */
const rehearse = async (
  open: typeof slackStage,
  answers: readonly (ModelOutcome | "waits")[],
  broken: (tools: Tools) => Partial<Tools> = () => ({}),
  side = onGitHub,
) => {
  const { drafts, blobs, workspaces, tools, pulls, moveOn } = await createForgeScene(side);
  let asked = 0;
  let id: ConversationId | undefined;
  const stage = await open({
    patience: 0,
    drafts,
    blobs,
    tools: { ...tools, ...broken(tools) },
    workspaces: {
      ...workspaces,
      open: (conversation, hooks) => {
        id = conversation.id;
        return workspaces.open(conversation, hooks);
      },
    },
    answer: (_messages, no, signal) => {
      asked = no;
      const next = answers[no - 1] ?? textAnswer("Nothing more.");
      return next === "waits" ? untilStopped(signal) : next;
    },
  });
  return {
    stage,
    pulls,
    moveOn,
    untilAsked: (no: number) => expect.poll(() => asked).toBe(no),
    lose: () => drafts.discard(id ?? "c-none"),
  };
};

const SIDES = [
  ["slack", slackStage, onGitHub],
  ["discord", discordStage, onGitLab],
] as const;

describe.each(oneOfCases(SIDES))("on %s", (_, open, side) => {
  it("40.B a click on a card whose branch has moved on writes nothing and asks anew; the next click is carried out", async () => {
    const { stage, pulls, moveOn } = await rehearse(
      open,
      [...drafting, proposing, textAnswer("It is open.")],
      undefined,
      side,
    );
    stage.say("bob", TASK);
    await stage.until(/\[Apply\]/);
    await moveOn("Elsewhere");
    await stage.click(stage.approver, "Open a draft pull request");
    await stage.until(
      /now has 1 newer commit: `Elsewhere`\. The change still merges cleanly\. Approving the previous card wrote nothing\.[^]*\[Apply\]/,
    );
    expect(pulls()).toEqual([]);
    await stage.click(stage.approver, "Open a draft pull request");
    await stage.until(/Draft pull request[^]*It is open\.[^]*Restricted/);
    expect(pulls()).toHaveLength(1);
    await stage.story();
  });

  it("stop leaves an open draft as it is, and voids the card that waits: a new one is applied", async () => {
    const { stage, untilAsked } = await rehearse(open, [
      ...drafting,
      "waits",
      proposing,
      use("draft", {}),
      proposing,
      textAnswer("Uploads are tried three times now."),
    ]);
    stage.say("bob", TASK);
    await untilAsked(3);
    await stage.until(/\[Stop\]/);
    stage.say("bob", "@parley stop");
    await stage.until(/Stopped by/);
    stage.say("bob", "@parley Go on.");
    const old = await stage.keep("Apply");
    stage.say("bob", "@parley stop");
    await stage.until(/Apply this change: not decided\*+ \(@bob stopped the turn/);
    await old(stage.approver);
    await stage.until(/This question is closed: the turn was stopped/);
    stage.say("bob", "@parley Show it again.");
    await stage.click(stage.approver, "Apply");
    await stage.until(/Applied on the branch[^]*three times now[^]*Restricted/);
    expect(await stage.story()).toMatch(DIFF);
  });

  it("nothing goes on in a new thread while a card waits: it is said, and the card is applied", async () => {
    const { stage } = await rehearse(open, [
      ...drafting,
      proposing,
      textAnswer("Uploads are tried three times now."),
    ]);
    stage.say("bob", TASK);
    await stage.until(/\[Apply\]/);
    stage.say(stage.approver, "@parley continue");
    await stage.until(/I am waiting for a decision on my question above, so I did not start on yours/);
    await stage.click(stage.approver, "Apply");
    await stage.until(/Applied on the branch[^]*three times now[^]*Restricted/);
    await stage.story();
  });

  it("a budget that ends with a draft open leaves it for the day after", async () => {
    const { stage } = await rehearse(open, [
      ...drafting,
      spent("This channel's"),
      change(3, 4),
      spent("Your"),
      proposing,
      textAnswer("Uploads are tried three times now."),
    ]);
    stage.say("bob", TASK);
    await stage.until(/This channel's budget for today is used up/);
    await stage.click("bob", "Try again");
    await stage.until(/Your budget for today is used up/);
    await stage.click("bob", "Try again");
    await stage.click(stage.approver, "Apply");
    await stage.until(/Applied on the branch[^]*three times now[^]*Restricted/);
    expect(await stage.story()).toMatch(/\+export const ATTEMPTS = 4;/);
  });

  it("a card whose draft was lost says so and offers to draft again, which is applied", async () => {
    const { stage, lose, pulls } = await rehearse(open, [
      ...drafting,
      proposing,
      textAnswer("It could not be done."),
      ...drafting,
      proposing,
      textAnswer("It could not be done either."),
      ...drafting,
      proposing,
      textAnswer("Uploads are tried three times now."),
    ]);
    stage.say("bob", TASK);
    await stage.until(/\[Apply\]/);
    await lose();
    await stage.click(stage.approver, "Apply");
    await stage.until(/alone:\nThe draft behind this card is gone, so nothing was done\. Ask me to draft/);
    await stage.until(
      /I could not apply the change: The draft is gone: .*\. Ask me to draft it again\.[^]*could not be done\.[^]*Restricted/,
    );
    stage.say("bob", "@parley Draft it again.");
    await stage.until(/\[Apply\]/);
    await lose();
    await stage.click(stage.approver, "Open a draft pull request");
    await stage.until(/I could not open the pull request: The draft is gone[^]*done either\.[^]*Restricted/);
    expect(pulls()).toEqual([]);
    stage.say("bob", "@parley Draft it again.");
    await stage.click(stage.approver, "Apply");
    await stage.until(/Applied on the branch[^]*three times now[^]*Restricted/);
    await stage.story();
  });

  it("a full disk is said with what to do, wherever it fills up, and with room all goes on", async () => {
    const full = sentence({ kind: "noSpace" }, "the draft");
    const outcome = { ...toolResult(full), isError: true };
    let room = 0;
    const fills = (at: number): boolean => room <= at && (room += 1) <= at + 1;
    const { stage } = await rehearse(
      open,
      [
        ...drafting.slice(0, 1),
        textAnswer(full),
        ...drafting,
        proposing,
        textAnswer(full),
        proposing,
        textAnswer("It could not be done."),
        proposing,
        textAnswer("Uploads are tried three times now."),
      ],
      ({ run, writes }) => ({
        run: (call, hooks) =>
          call.name === "draft" && fills(0) ? Promise.resolve(outcome) : run(call, hooks),
        writes: {
          propose: (call, hooks) =>
            call.name === "propose" && fills(1)
              ? Promise.resolve({ kind: "refused", outcome })
              : (writes?.propose(call, hooks) ?? Promise.resolve({ kind: "none" })),
          write: (call, errand, hooks) =>
            fills(2) || writes === undefined
              ? Promise.resolve(failedWrite(full))
              : writes.write(call, errand, hooks),
        },
      }),
    );
    stage.say("bob", TASK);
    await stage.until(/no space left on this machine for the draft\. The operator has to free some space/);
    stage.say("bob", "@parley There is room now.");
    await stage.until(/no space left[^]*Restricted[^]*no space left[^]*Restricted/);
    stage.say("bob", "@parley There is room now.");
    await stage.click(stage.approver, "Apply");
    await stage.until(
      /I could not apply the change: There is no space left .*\. The operator has to free some space; then ask again\.[^]*could not be done/,
    );
    stage.say("bob", "@parley There is room now.");
    await stage.click(stage.approver, "Apply");
    await stage.until(/Applied on the branch[^]*three times now[^]*Restricted/);
    await stage.story();
  });
});
