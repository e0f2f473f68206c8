/** The forge's scene in front of people on the wire-level Slack, with the real Bolt client. */

import { expect, onTestFinished, vi } from "vitest";
import type { ModelOutcome } from "../../../src/ports/model.ts";
import type { PromptMessage } from "../../../src/thread/prompt.ts";
import { createRig, type RigOptions, type SlackRig } from "../../adapters/slack/rig.ts";
import { repoOn } from "../../fakes/side.ts";
import { textAnswer } from "../../runtime/world.ts";
import { type ForgeScene, PROJECT } from "./scene.ts";

export interface Root {
  readonly channel: string;
  readonly ts: string;
}

/** The answer of the model to a request, or how it finds the answer. */
export type SceneStep =
  | ModelOutcome
  | ((messages: readonly PromptMessage[]) => ModelOutcome | Promise<ModelOutcome>);

export const onSlack = async (
  { forge, read, tools, workspaces, drafts }: ForgeScene,
  steps: readonly SceneStep[],
  options: Pick<RigOptions, "clock" | "env" | "opened" | "share"> = {},
): Promise<{ readonly rig: SlackRig; readonly asked: () => readonly (readonly PromptMessage[])[] }> => {
  let asked: readonly (readonly PromptMessage[])[] = [];
  const rig = await createRig({
    ...options,
    ready: read,
    tools,
    workspaces,
    drafts,
    outside: { drafts },
    env: { PARLEY_REPOS: `${forge.host}/${PROJECT}`, ...options.env },
    prepare: ({ chat }) =>
      chat
        .bind("slack", "CGENERAL", { repo: repoOn(forge, PROJECT), by: "slack:UALICE", at: 1 })
        .then(() => undefined),
    answer: (messages) => {
      asked = [...asked, messages];
      // A new process goes on where the last one was.
      const step = steps[asked.length - 1] ?? textAnswer("Nothing more.");
      return typeof step === "function" ? step(messages) : step;
    },
  });
  onTestFinished(() => expect(rig.fake.violations).toEqual([]));
  return { rig, asked: () => asked };
};

const OFTEN = { interval: 30 };

export const until = (rig: SlackRig, root: Root, wanted: RegExp): Promise<string> =>
  vi.waitFor(() => {
    const text = rig.fake.threadAsText(root.channel, root.ts);
    if (!wanted.test(text)) throw new Error(`${wanted} is not in:\n${text}\n${rig.logged.join("\n")}`);
    return text;
  }, OFTEN);

/** Alice clicks below the question that was asked last. */
export const click = (rig: SlackRig, root: Root, label: "Approve" | "Deny"): void => {
  const card = rig.fake.world
    .thread(root.channel, root.ts)
    .findLast(({ blocks }) => JSON.stringify(blocks ?? []).includes("parley_approve"));
  if (card === undefined) throw new Error("nothing is asked");
  rig.fake.as("alice").click({ channel: root.channel, ts: card.ts }, label);
};
