/** A valid call starts sub-agents and never reaches the tool; `run` only explains an invalid call (BED-008). */

import { z } from "zod";
import { MAX_AGENTS } from "../machine/agent.ts";
import { omitUndefined } from "../text/omit-undefined.ts";
import { defineTool, failure, textField, type Tool } from "./tool.ts";

/** UTF-16 code units of one task. */
const MAX_TASK = 20_000;

export type KnowsModel = (model: string) => boolean;

const task = z.object({
  task: textField
    .refine((text) => text.trim() !== "", { error: "must say what is to be done" })
    .max(MAX_TASK, { error: `must have at most ${MAX_TASK} characters` })
    .describe("Everything the sub-agent has to know: it sees nothing of this conversation."),
  model: z
    .string()
    .optional()
    .describe("Id of another model to use; leave it out to use the one of this conversation."),
});

const schema = z.object({
  tasks: z
    .array(task)
    .min(1, { error: "must hold at least one task" })
    .max(MAX_AGENTS, { error: `must hold at most ${MAX_AGENTS} tasks` })
    .describe("One sub-agent is started for each."),
});

/** `agentModel`: model of sub-agents for which a call names none; if undefined, the conversation's model. */
export const createSpawnTool = (knowsModel: KnowsModel, agentModel: string | undefined): Tool =>
  defineTool({
    name: "spawn_agents",
    description: [
      `Start up to ${MAX_AGENTS} sub-agents that work in parallel, one for each task, and wait for all of them. Each has a history of its own and reads the working directory as it is; none of them can write, ask people, or start others. Use it for independent parts of a larger investigation, not for what one or two commands answer.`,
      "The result tells what each came to, in the order of the tasks. Give every task all it needs and say what its answer must contain, such as citations as path:line. Check what you rely on.",
    ].join("\n"),
    origin: "model",
    look: {
      past: "Started sub-agents",
      now: "starting sub-agents",
      fields: [],
      icon: "branch",
      face: "prose",
    },
    judge: null,
    schema,
    tooLarge: "Shorten the tasks.",
    intent: ({ tasks }) =>
      unknownIn({ tasks }, knowsModel) === undefined
        ? { intent: "spawn", agents: tasks.map(({ model = agentModel }) => omitUndefined({ model })) }
        : null,
    run: ({ tasks }) => Promise.resolve(failure(unknownModel(unknownIn({ tasks }, knowsModel) ?? ""))),
  });

const unknownIn = ({ tasks }: z.output<typeof schema>, knowsModel: KnowsModel): string | undefined =>
  tasks.flatMap(({ model }) => model ?? []).find((model) => !knowsModel(model));

const unknownModel = (model: string): string =>
  `Unknown model: ${model.slice(0, 100)}. Leave "model" out to use the one of this conversation. No sub-agent was started.`;
