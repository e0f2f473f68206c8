/** A conversation renamed, put away, brought back and deleted. */

import * as z from "zod";
import type { ActResult } from "../../../src/ports/bot.ts";
import { summary } from "../render/summary.ts";
import { ofConversation, readJson } from "./body.ts";
import { failureOf, unknownConversation } from "./problem.ts";

/** Renames it (`title`), archives it or brings it back (`archived`): archiving stops what it does. Answers it as lists do. */
export const changeConversation = ofConversation(async ({ bot, operator }, c, id) => {
  const { title, archived } = await readJson(c, changeBody);
  const renamed = title === undefined ? DONE : await bot.rename(id, title, operator.id);
  const moved =
    renamed.kind !== "done" || archived === undefined
      ? renamed
      : await bot.archive(id, archived, operator.id);
  if (moved.kind !== "done") throw failureOf(moved);
  const detail = await bot.read(id);
  if (detail === null) throw unknownConversation();
  return c.json(summary(detail));
});

/** Deletes it, its sub-agents and checkout: answers when nothing is left on the disk. For those who may approve. */
export const deleteConversation = ofConversation(async ({ bot, operator }, c, id) => {
  const removed = await bot.remove(id, operator.id);
  if (removed.kind !== "done") throw failureOf(removed);
  return c.json({ result: "done" });
});

const changeBody = z
  .strictObject({
    title: z.string().trim().min(1, "must say something").max(200).optional(),
    archived: z.boolean().optional(),
  })
  .refine(({ title, archived }) => title !== undefined || archived !== undefined, "names nothing to change");

const DONE: ActResult = { kind: "done" };
