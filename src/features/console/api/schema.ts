import { z } from "zod";

const image = z.object({ mediaType: z.string().max(100), data: z.string() });

const file = z.object({
  name: z.string().min(1).max(255),
  mediaType: z.string().max(100).default("application/octet-stream"),
  data: z.string(),
});

export type FileBody = z.infer<typeof file>;

export type ImageBody = z.infer<typeof image>;

export const createBody = z.object({
  repo: z.string().trim().min(1).max(4096).optional(),
  title: z.string().trim().max(200).optional(),
  seedFrom: z.string().max(200).optional(),
});

const messageKey = z.string().min(1).max(128);

/** Text that a person typed. With `refused`: the refused message with this `id`. */
const typed = {
  text: z.string().optional(),
  images: z.array(image).optional(),
  files: z.array(file).optional(),
  refused: messageKey.optional(),
};

export const messageBody = z
  .object({ id: messageKey.optional(), ...typed })
  .refine(({ text, refused }) => text !== undefined || refused !== undefined, {
    path: ["text"],
    error: "is missing",
  });

const messageId = z.templateLiteral(["m-", z.string().regex(/[^/]{1,100}/)]);

const judgements = [
  z.object({ action: z.enum(["thumb_up", "thumb_down", "solved"]), answer: messageId }),
  z.object({ action: z.literal("why"), answer: messageId, text: z.string().trim().min(1).max(4000) }),
] as const;

export type JudgeBody = z.infer<(typeof judgements)[number]>;

export const actionBody = z.discriminatedUnion(
  "action",
  [
    z.object({
      action: z.literal("decide"),
      question: z.string().min(1).max(200),
      choice: z.string().max(50),
      /** A comment for the model with a Deny or an Approve; the wanted changes with the choice `changes`; the answer with `reply`. */
      text: z.string().max(4000).optional(),
      /** With the choice `apply`: the number of commits of the draft to apply, counted from the first. */
      commits: z.int().min(1).exactOptional(),
      /** With the choice `choose`: the number of the agent's choice, counted from 1. */
      option: z.int().min(1).exactOptional(),
    }),
    z.object({
      action: z.enum(["stop", "restrict", "continue_here_empty", "retry", "retry_other", "ask_again"]),
    }),
    z.object({ action: z.literal("stop_and_send"), ...typed }),
    z.object({ action: z.enum(["send_when_done", "add_to_turn"]), ...typed }),
    z.object({ action: z.literal("remove_waiting"), message: messageId }),
    z.object({ action: z.literal("safe_mode"), choice: z.enum(["on", "off"]) }),
    z.object({ action: z.literal("mode"), choice: z.string().min(1).max(100) }),
    z.object({ action: z.literal("model"), choice: z.string().min(1).max(300) }),
    z.object({ action: z.literal("continue"), choice: z.enum(["summary", "empty"]).exactOptional() }),
    z.object({ action: z.literal("deeper"), answer: messageId }),
    ...judgements,
  ],
  {
    error:
      "is one of decide, stop, stop_and_send, send_when_done, add_to_turn, remove_waiting, restrict, safe_mode, mode, model, continue, continue_here_empty, retry, retry_other, ask_again, deeper, thumb_up, thumb_down, why, solved",
  },
);

export type ActionBody = z.infer<typeof actionBody>;

/** `last`: 1 to 1000. `before`: ordinal of the first post seen. */
export const postsQuery = z.object({
  last: z.coerce.number().int().min(1).max(1000).optional(),
  before: z.coerce.number().int().min(1).optional(),
});

/**
 * `limit`: 1 to 200 (50). `before`: id of the last conversation seen. `archived`: list the archived
 * conversations.
 */
export const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  before: z.string().min(1).max(200).optional(),
  archived: z.enum(["true", "false"]).default("false"),
});
