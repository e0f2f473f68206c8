import * as z from "zod";

export const conversationIdSchema = z.templateLiteral(["c-", z.string()]);
export const messageIdSchema = z.templateLiteral(["m-", z.string()]);
export const effectIdSchema = z.templateLiteral(["e", z.number()]);
export const questionIdSchema = z.templateLiteral(["q", z.number()]);
export const personIdSchema = z.templateLiteral([z.string(), ":", z.string()]);

export const kindSchema = <K extends string, S extends z.ZodRawShape>(name: K, shape: S) =>
  z.object({ kind: z.literal(name), ...shape });

export const listSchema = <S extends z.ZodType>(of: S) => z.array(of).readonly();
