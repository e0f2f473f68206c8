/** Conversations as a whole: the list, and a new one. */

import { readJson, readQuery } from "./body.ts";
import { isConversationId } from "../env.ts";
import type { Handler } from "../handler.ts";
import { bad, unstored, unknownConversation } from "./problem.ts";
import { readRepo } from "./repo.ts";
import { createBody, listQuery } from "./schema.ts";
import { goOnFrom } from "./seed.ts";
import { summary } from "../render/summary.ts";

/** The conversations, newest first: `limit` (50) of them, from the one after `before`; with `archived=true` the archived ones. */
export const listConversations: Handler = ({ bot }, c) => {
  const { limit, before = null, archived } = readQuery(c, listQuery, USAGE);
  if (before !== null && !isConversationId(before)) throw unknownConversation();
  return c.json({
    conversations: bot.list(limit, before, archived === "true" ? "archived" : "listed").map(summary),
  });
};

/** A new one, of `repo` or the default repository. Without a `title` it is named by its first message. */
export const createConversation: Handler = async ({ bot, defaultRepo, operator }, c) => {
  const { repo: typed, title = "", seedFrom } = await readJson(c, createBody);
  if (seedFrom !== undefined) {
    if (typed !== undefined || title !== "") throw bad("invalid_request", SEED_ALONE);
    if (!isConversationId(seedFrom)) throw unknownConversation();
    const next = await goOnFrom(bot, seedFrom, operator, AbortSignal.timeout(LONGEST_CARRY));
    return c.json(summary(next), 201);
  }
  const repo = typed === undefined ? defaultRepo : readRepo(typed);
  if (repo === null) throw bad("repo_needed", "Name a repository: this host has no default.");
  const made = await bot.create({ surface: "console", repo, title, by: operator.id });
  if (made.kind === "failed") throw unstored(made);
  return c.json(summary(made.overview), 201);
};

const USAGE = "limit is a number from 1 to 200, before is the id of a conversation.";

/** Milliseconds: a checkout of a gigabyte may go along. */
const LONGEST_CARRY = 120_000;

const SEED_ALONE =
  "A conversation that goes on from another one has its repository and title: leave them out.";
