import * as z from "zod";

export const inDraft = z
  .enum(["draft"])
  .optional()
  .describe("draft: in the open draft, not in the working directory.");

const Input = z.object({ where: z.literal("draft") });

export const isInDraft = (input: unknown): boolean => Input.safeParse(input).success;
