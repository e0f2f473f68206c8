/** What the model's wire-level fake answers: the same whenever it is asked the same, whatever became of the host. */

import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages/messages";
import { call, say, type Turn } from "../fakes/anthropic/turn.ts";

/** A task is what a message ends with. */
export type Task = "list" | "change" | "hang" | "hello" | "propose";

const tasks: readonly Task[] = ["list", "change", "hang", "hello", "propose"];

export const answerTo = ({ messages }: Pick<MessageCreateParams, "messages">): Turn => {
  const {
    task = "hello",
    results,
    told,
  } = lastTurn(messages, (text) => tasks.find((one) => text.endsWith(one)));
  switch (task) {
    case "list": {
      const { content } = call("bash", { command: "ls" });
      return results === 0
        ? { content: [{ kind: "text", text: "Let me look." }, ...content] }
        : say("There are two files.");
    }
    case "change":
      if (results === 0) return call("request_mode_upgrade", { reason: "to write a note" });
      return results === 1 ? call("bash", { command: "echo done > note.txt" }) : say(LONG, 700);
    case "hang":
      return call("bash", { command: "sleep 600", mode: "slow" });
    case "hello":
      return say("Hello.");
    case "propose":
      if (told.includes("Done, as a person approved it")) return say("It is proposed.");
      if (!told.includes("now in Unrestricted mode") && !told.includes("Already in Unrestricted")) {
        return call("request_mode_upgrade", { reason: "to write a note" });
      }
      return told.includes("noted")
        ? call("open_pull_request", { title: "A note", body: "It says that it is done." })
        : call("bash", { command: "echo done > note.txt && echo noted" });
  }
};

/** Three pieces on Slack. */
const LONG = Array.from(
  { length: 60 },
  (_, index) => `Paragraph ${index + 1}: ${"words and more words ".repeat(7).trim()}`,
).join("\n\n");

/** What a person said last, how many tool uses have been answered since, and with what. */
export const lastTurn = <T>(
  messages: MessageCreateParams["messages"],
  read: (text: string) => T | undefined,
): { readonly task: T | undefined; readonly results: number; readonly told: string } => {
  let task: T | undefined;
  let results = 0;
  let told = "";
  for (const { role, content } of messages) {
    if (role !== "user" || typeof content === "string") continue;
    for (const block of content) {
      if (block.type === "tool_result") {
        results += 1;
        told += JSON.stringify(block.content);
      }
      const said = block.type === "text" ? read(block.text) : undefined;
      if (said === undefined) continue;
      task = said;
      results = 0;
      told = "";
    }
  }
  return { task, results, told };
};
