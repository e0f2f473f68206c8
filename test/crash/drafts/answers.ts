/** What the model answers whoever asks it for a scripted change: the same, whatever became of the host. */

import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages/messages";
import { call, say, type Turn } from "../../fakes/anthropic/turn.ts";
import { lastTurn } from "../answers.ts";
import type { Change } from "./changes.ts";

export const answerTo =
  (changes: readonly Change[]) =>
  ({ messages }: Pick<MessageCreateParams, "messages">): Turn => {
    const { task, told } = lastTurn(messages, (text) => /change (\d+)$/.exec(text)?.[1]);
    const change = changes.find(({ no }) => String(no) === task);
    if (change === undefined) return say("Hello.");
    if (told.includes("Done, as a person approved it")) return say("It is real.");
    if (!told.includes("The draft is open")) return call("draft", {});
    if (!told.includes("rehearsed"))
      return call("bash", { where: "draft", command: `${change.script}\necho rehearsed` });
    return call("propose", {
      title: `Change ${change.no}`,
      summary: "It says so.",
      test_command: `test -f change-${change.no}.txt`,
    });
  };
