/** Conversations as a whole: listed, read, made, renamed, put away, brought back and deleted. */

import { isAbsolute } from "node:path";
import * as z from "zod";
import { jsonOf, urlQueryOf } from "../../../../adapters/http/body.ts";
import { badRequest, storeFailed } from "../../../../adapters/http/problem.ts";
import type { ActResult } from "../../../ports/bot.ts";
import type { Repo } from "../../../ports/conversation.ts";
import { conversationSummary } from "../render/summary.ts";
import { type Handler, isConversationId, ofConversation } from "./handler.ts";
import { responseOfFailure, unknownConversation } from "./refusal.ts";
import { createBody, listQuery } from "./schema.ts";
import { goOnFrom } from "./seed.ts";

/** The conversations, newest first: `limit` (50) of them, from the one after `before`; with `archived=true` the archived ones. */
export const listConversations: Handler = ({ bot }, c) => {
  const { limit, before = null, archived } = urlQueryOf(c.req.raw, listQuery, USAGE);
  if (before !== null && !isConversationId(before)) throw unknownConversation();
  return c.json({
    conversations: bot
      .list(limit, before, archived === "true" ? "archived" : "listed")
      .map(conversationSummary),
  });
};

/** A new one, of `repo` or the default repository. Without a `title` it is named by its first message. */
export const createConversation: Handler = async ({ bot, repo: usual, operator }, c) => {
  const { repo: typed, title = "", seedFrom } = await jsonOf(c.req.raw, createBody);
  if (seedFrom !== undefined) {
    if (typed !== undefined || title !== "") throw badRequest("invalid_request", SEED_ALONE);
    if (!isConversationId(seedFrom)) throw unknownConversation();
    const next = await goOnFrom(bot, seedFrom, operator, AbortSignal.timeout(LONGEST_CARRY));
    return c.json(conversationSummary(next), 201);
  }
  const repo = typed === undefined ? usual : readRepo(typed);
  if (repo === null) throw badRequest("repo_needed", "Name a repository: this host has no default.");
  const made = await bot.create({ surface: "console", repo, title, by: operator.id });
  if (made.kind === "failed") throw storeFailed(made);
  return c.json(conversationSummary(made.overview), 201);
};

/** One conversation: its posts, the pending question, its sub-agents. */
export const readConversation = ofConversation(async ({ bot, presenterOf }, c, id) => {
  const detail = await bot.read(id);
  if (detail === null) throw unknownConversation();
  const agents = bot.agents(detail.state.id).map(conversationSummary);
  const { snapshot } = presenterOf(c.req.header("accept-language"));
  return c.json({
    ...snapshot(detail, detail.posts, null),
    ...(agents.length === 0 ? {} : { agents }),
  });
});

/** Renames it (`title`), archives it or brings it back (`archived`): archiving stops what it does. Answers it as lists do. */
export const changeConversation = ofConversation(async ({ bot, operator }, c, id) => {
  const { title, archived } = await jsonOf(c.req.raw, changeBody);
  const renamed = title === undefined ? DONE : await bot.rename(id, title, operator.id);
  const moved =
    renamed.kind !== "done" || archived === undefined
      ? renamed
      : await bot.archive(id, archived, operator.id);
  if (moved.kind !== "done") throw responseOfFailure(moved);
  const detail = await bot.read(id);
  if (detail === null) throw unknownConversation();
  return c.json(conversationSummary(detail));
});

/** Deletes it, its sub-agents and checkout: answers when nothing is left on the disk. For those who may approve. */
export const deleteListedConversation = ofConversation(async ({ bot, operator }, c, id) => {
  const removed = await bot.remove(id, operator.id);
  if (removed.kind !== "done") throw responseOfFailure(removed);
  return c.json({ result: "done" });
});

const USAGE = "limit is a number from 1 to 200, before is the id of a conversation.";

/** Milliseconds: a checkout of a gigabyte may go along. */
const LONGEST_CARRY = 120_000;

const SEED_ALONE =
  "A conversation that goes on from another one has its repository and title: leave them out.";

const changeBody = z
  .strictObject({
    title: z.string().trim().min(1, "must say something").max(200).optional(),
    archived: z.boolean().optional(),
  })
  .refine(({ title, archived }) => title !== undefined || archived !== undefined, "names nothing to change");

const DONE: ActResult = { kind: "done" };

/**
 * What a person typed as a repository: an absolute path, an https or ssh URL without credentials, or `user@host:path`;
 * anything else ends the request. Only its form is judged here; whether it exists is found out inside the sandbox (D28:
 * local paths are the console's own).
 */
const readRepo = (text: string): Repo => {
  if (/\p{Cc}/u.test(text)) throw unusable("A repository's name holds no control characters.");
  if (isAbsolute(text)) return { kind: "path", location: text };
  if (SCP_LIKE.test(text)) return { kind: "url", location: text };
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "ssh:")) throw unusable(FORMS);
  if (url.password !== "" || (url.protocol === "https:" && url.username !== ""))
    throw unusable("Leave user name and password out of the URL; the host has its own access.");
  if (url.hostname === "" || url.hostname.startsWith("-")) throw unusable(FORMS);
  return { kind: "url", location: text };
};

const FORMS = "Give an absolute path, an https:// or ssh:// URL, or user@host:path.";
const SCP_LIKE = /^[A-Za-z0-9_][\w.-]*@[A-Za-z0-9][A-Za-z0-9.-]*:[^-:\s][^\s]*$/;

const unusable = (message: string) => badRequest("unusable_repo", message);
