/** The gateway in front of the real runtime, as the official client sees it. */

import OpenAI from "openai";
import * as z from "zod";
import { createGateway } from "../../../src/features/gateway/app.ts";
import { PACE, type ResponseTimes } from "../../../src/features/gateway/respond.ts";
import { systemClock } from "../../../src/app/system-clock.ts";
import type { Clock } from "../../../src/ports/host.ts";
import type { ConversationId } from "../../../src/machine/id.ts";
import { createRig, type Rig, type RigOptions, TOKEN } from "../../adapters/http/rig.ts";
import { openMemory } from "../../store/in-memory.ts";

export const TALK = "the-token-of-the-gateway";

export interface GatewayRig extends Rig {
  /** As people make it, but that it repeats nothing; `maxRetries` otherwise. */
  client(maxRetries?: number): OpenAI;
  ask(text: string, session?: string): Promise<string | null>;
  /** Its text, whole; throws what the client throws. */
  stream(text: string, session?: string): Promise<string>;
  /** The conversation of the only session, or of the newest. */
  conversation(): ConversationId;
  act(body: unknown): Promise<unknown>;
}

const message = (text: string) => ({
  model: "parley",
  messages: [{ role: "user" as const, content: text }],
});

/** A turn that its client leaves is stopped at once. */
export const PROMPT: ResponseTimes = { ...PACE, grace: 0 };

interface GatewayOptions {
  readonly drafted?: RigOptions["drafted"];
  readonly clock?: Pick<Clock, "after">;
  readonly pace?: ResponseTimes;
}

export const openGateway = async ({
  drafted,
  clock = systemClock,
  pace = PROMPT,
}: GatewayOptions = {}): Promise<GatewayRig> => {
  const opened = openMemory();
  let made = 0;
  const rig = await createRig({
    opened,
    ...(drafted && { drafted }),
    beside: (bot, { takePicture }) =>
      createGateway({
        bot,
        takePicture,
        covers: "Tools may write.",
        sessions: opened.ledger,
        log: { info: () => undefined, warn: () => undefined, error: () => undefined },
        clock,
        pace,
        randomId: () => `r${made++}`,
        token: TALK,
        approverToken: TOKEN,
        client: { id: "gateway:client", mayDrive: true, mayApprove: false },
        approver: { id: "console:operator", mayDrive: true, mayApprove: true },
        models: ["parley", "slavik"],
        repo: { kind: "path", location: "/srv/lantern" },
        startedAt: 1_000,
        bodyBytes: 40_000_000,
      }),
  });
  const client = (maxRetries = 0) => new OpenAI({ apiKey: TALK, baseURL: `${rig.origin}/v1`, maxRetries });
  const conversation = () => rig.bot.list(1, null)[0]?.state.id ?? "c-none";
  return {
    ...rig,
    client,
    conversation,
    ask: async (text, session = "s1") => {
      const headers = { "X-Session-Id": session };
      const answer = await client().chat.completions.create(message(text), { headers });
      return answer.choices[0]?.message.content ?? null;
    },
    stream: async (text, session = "s1") => {
      const headers = { "X-Session-Id": session };
      const chunks = await client().chat.completions.create({ ...message(text), stream: true }, { headers });
      let all = "";
      for await (const { choices } of chunks) all += choices[0]?.delta.content ?? "";
      return all;
    },
    act: async (body) => (await rig.call("POST", `/api/conversations/${conversation()}/actions`, body)).body,
  };
};

const thrownError = z.object({
  status: z.number().optional(),
  code: z.string(),
  message: z.string(),
  error: z.looseObject({ details: z.looseObject({}).optional() }),
});

/** What the client throws: its class, and what it read. */
export const thrown = async (work: Promise<unknown>) => {
  const error = await work.then(
    (value: unknown) => new Error(`answered: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  return { name: error instanceof Error ? error.constructor.name : "", ...thrownError.parse(error) };
};
