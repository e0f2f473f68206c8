/** What the model says in the simulated triage: a command and an answer in each turn, helpers where they are asked for. */

import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages";
import { call, say, type Turn } from "../../fakes/anthropic/turn.ts";

const HELPERS = ["look into the tests [helper one]", "look into the documentation [helper two]"];

export const triage = ({ messages, tools = [] }: MessageCreateParams): Turn => {
  const last = JSON.stringify(messages.at(-1)?.content);
  if (tools.length === 0)
    return say("The story so far: they asked about parts of it, and each was looked at.");
  if (last.includes("tool_result"))
    return isHelper(messages)
      ? call("submit_result", { result: "It is as it should be (README.md:1)." })
      : say("That is how it is. ".repeat(30));
  if (!isHelper(messages) && last.includes("[helpers]"))
    return call("spawn_agents", { tasks: HELPERS.map((task) => ({ task })) });
  return call("bash", { command: "cat README.md; seq 1 200" });
};

const isHelper = ([first]: MessageCreateParams["messages"]): boolean =>
  /\[helper (?:one|two)\]/.test(JSON.stringify(first));
