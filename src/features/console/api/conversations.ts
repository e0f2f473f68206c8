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

/**
 * The newest conversations: `limit` (50) of them, after the one named by `before`. With `archived=true`, the
 * archived ones.
 */
export const listConversations: Handler = ({ bot }, c) => {
  const { limit, before = null, archived } = urlQueryOf(c.req.raw, listQuery, USAGE);
  if (before !== null && !isConversationId(before)) throw unknownConversation();
  return c.json({
    conversations: bot
      .list(limit, before, archived === "true" ? "archived" : "listed")
      .map(conversationSummary),
  });
};

/**
 * Creates a conversation for `repo` or the default repository. Without a `title`, the first message names the
 * conversation.
 */
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

/** One conversation with its posts, its pending question and its sub-agents. */
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

/**
 * Renames the conversation (`title`), archives it or restores it (`archived`). Archiving stops the current
 * work. The response has the form of a list entry.
 */
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

/**
 * Deletes the conversation with its sub-agents and checkout, and responds when nothing is left on the disk.
 * For approvers only.
 */
export const deleteListedConversation = ofConversation(async ({ bot, operator }, c, id) => {
  const removed = await bot.remove(id, operator.id);
  if (removed.kind !== "done") throw responseOfFailure(removed);
  return c.json({ result: "done" });
});

const USAGE = "limit is a number from 1 to 200, before is the id of a conversation.";

/** Time limit in milliseconds: the new conversation may receive a checkout of a gigabyte. */
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
 * Reads a typed repository: an absolute path, an https or ssh URL without credentials, or `user@host:path`.
 * Other text ends the request with an error. Only the form is checked here; the sandbox finds out whether the
 * repository exists (D28: only the console accepts local paths).
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
