/** Names of things as they come from disk. */

import * as z from "zod";

export const conversationId = z.templateLiteral(["c-", z.string()]);
export const messageId = z.templateLiteral(["m-", z.string()]);
export const effectId = z.templateLiteral(["e", z.number()]);
export const questionId = z.templateLiteral(["q", z.number()]);
export const personId = z.templateLiteral([z.string(), ":", z.string()]);
