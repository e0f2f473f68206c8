import * as z from "zod";

export const conversationId = z.templateLiteral(["c-", z.string()]);
export const messageId = z.templateLiteral(["m-", z.string()]);
export const effectId = z.templateLiteral(["e", z.number()]);
export const questionId = z.templateLiteral(["q", z.number()]);
export const personId = z.templateLiteral([z.string(), ":", z.string()]);

/** One member of a union: its kind and its other fields. */
export const kind = <K extends string, S extends z.ZodRawShape>(name: K, shape: S) =>
  z.object({ kind: z.literal(name), ...shape });

export const list = <S extends z.ZodType>(of: S) => z.array(of).readonly();
