/** Conversations as a whole: the list, and a new one. */

import { readJson, readQuery, ofConversation } from "./body.ts";
import { type ConsoleDeps, type Handler, isConversationId } from "../deps.ts";
import { bad, storageProblem, unknownConversation, refusalProblem, problem, notAllowed } from "./problem.ts";
import { createBody, listQuery, messageBody } from "./schema.ts";
import { summary } from "../render/summary.ts";
import { readSaid } from "./say.ts";
import { isAbsolute } from "node:path";
import type { Repo } from "../../../src/ports/conversation.ts";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { Exhausted } from "../../../src/machine/state.ts";
import type { Speaker } from "../../../src/machine/words.ts";
import type { Bot, Overview, ActResult } from "../../../src/ports/bot.ts";
import * as z from "zod";

/** The conversations, newest first: `limit` (50) of them, from the one after `before`; with `archived=true` the archived ones. */
export const listConversations =
  ({ bot }: Pick<ConsoleDeps, "bot">): Handler =>
  (c) => {
    const { limit, before = null, archived } = readQuery(c, listQuery, USAGE);
    if (before !== null && !isConversationId(before)) return unknownConversation();
    return c.json({
      conversations: bot.list(limit, before, archived === "true" ? "archived" : "listed").map(summary),
    });
  };

/** A new one, of `repo` or the default repository. Without a `title` it is named by its first message. */
export const createConversation =
  (deps: ConsoleDeps): Handler =>
  async (c) => {
    const { bot, defaultRepo, operator } = deps;
    const { repo: typed, title = "", seedFrom } = await readJson(c, deps, createBody);
    if (seedFrom !== undefined) {
      if (typed !== undefined || title !== "") throw bad("invalid_request", SEED_ALONE);
      if (!isConversationId(seedFrom)) return unknownConversation();
      const next = await goOnFrom(bot, seedFrom, operator, AbortSignal.timeout(LONGEST_CARRY));
      return next instanceof Response ? next : c.json(summary(next), 201);
    }
    const parsed = typed === undefined ? null : parseRepo(typed);
    if (parsed?.kind === "unusable") throw bad("unusable_repo", parsed.message);
    const repo = parsed?.repo ?? defaultRepo;
    if (repo === null) throw bad("repo_needed", "Name a repository: this host has no default.");
    const made = await bot.create({ surface: "console", repo, title, by: operator.id });
    return made.kind === "created" ? c.json(summary(made.overview), 201) : storageProblem(made);
  };

const USAGE = "limit is a number from 1 to 200, before is the id of a conversation.";

/** Milliseconds: a checkout of a gigabyte may go along. */
const LONGEST_CARRY = 120_000;

const SEED_ALONE =
  "A conversation that goes on from another one has its repository and title: leave them out.";

/** Says `text` with `images`. The same `id` again is taken once. 409 while the agent is busy or waits for an answer. */
export const postMessage = (deps: ConsoleDeps): Handler =>
  ofConversation(async (c, conversation) => {
    const { bot, operator: speaker, randomId } = deps;
    const body = await readJson(c, deps, messageBody);
    const said = await readSaid(deps, conversation, body);
    const id = body.id ?? randomId();
    const claim = { surface: "console", id: `${conversation}/${id}`, conversation, speaker };
    const result = await bot.say({ ...claim, ...said });
    switch (result.kind) {
      case "accepted":
        return c.json({ accepted: true, id }, 202);
      case "duplicate":
        return c.json({ accepted: true, duplicate: true, id }, 202);
      case "refused":
        return refusalProblem(result.why);
      case "unknown":
        return unknownConversation();
      case "failed":
        return storageProblem(result);
    }
  });

/**
 * What a person typed as a repository. Only its form is judged here; whether it exists is found out inside the
 * sandbox (D28: local paths are the console's own).
 */
type RepoParse =
  | { readonly kind: "repo"; readonly repo: Repo }
  | { readonly kind: "unusable"; readonly message: string };

/** An absolute path, an https or ssh URL without credentials, or `user@host:path`. */
const parseRepo = (typed: string): RepoParse => {
  const text = typed.trim();
  if (hasControl(text)) return unusable("A repository's name holds no control characters.");
  if (isAbsolute(text)) return { kind: "repo", repo: { kind: "path", location: text } };
  if (SCP_LIKE.test(text)) return { kind: "repo", repo: { kind: "url", location: text } };
  if (!URL.canParse(text)) return unusable(FORMS);
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "ssh:") return unusable(FORMS);
  const secret = url.password !== "" || (url.protocol === "https:" && url.username !== "");
  if (secret) return unusable("Leave user name and password out of the URL; the host has its own access.");
  return url.hostname === "" || url.hostname.startsWith("-")
    ? unusable(FORMS)
    : { kind: "repo", repo: { kind: "url", location: text } };
};

const FORMS = "Give an absolute path, an https:// or ssh:// URL, or user@host:path.";
const SCP_LIKE = /^[A-Za-z0-9_][\w.-]*@[A-Za-z0-9][A-Za-z0-9.-]*:[^-:\s][^\s]*$/;

const unusable = (message: string): RepoParse => ({ kind: "unusable", message });

const hasControl = (text: string): boolean => /\p{Cc}/u.test(text);

/** A conversation goes on in one other (BED-021): asking again gives the same one. Else why there is none. `given` ends the wait. */
const goOnFrom = async (
  bot: Bot,
  id: ConversationId,
  by: Speaker,
  given: AbortSignal,
): Promise<Overview | Response> => {
  const detail = await bot.read(id);
  if (detail === null) return unknownConversation();
  const { phase } = detail.state;
  if (phase.kind !== "exhausted") return NOT_ENDED();
  const made = nextOf(bot, id, given);
  const asked = await bot.act(id, { kind: "move", seed: seedOf(phase), by });
  if (asked.kind === "failed") return storageProblem(asked);
  if (asked.kind === "unknown") return unknownConversation();
  if (asked.kind === "refused" && asked.why !== "already_continued") return refusalProblem(asked.why);
  const next = phase.next ?? (await made);
  return (next === null ? null : await bot.read(next)) ?? NOT_MADE();
};

const seedOf = ({ summary }: Exhausted) => (summary === null ? "empty" : "summary");

/** Settles when it is there; null where it could not be made, or the wait ended. */
const nextOf = (bot: Bot, id: ConversationId, given: AbortSignal): Promise<ConversationId | null> =>
  new Promise((resolve) => {
    let wanted = false;
    const done = (next: ConversationId | null): void => {
      stop();
      resolve(next);
    };
    const stop = bot.subscribe(id, (change) => {
      if (change.kind !== "state") return;
      const { phase, branches } = change.overview.state;
      const isWanted = branches.some(({ seed }) => seed !== undefined);
      const next = phase.kind === "exhausted" ? phase.next : null;
      if (next !== null || (wanted && !isWanted)) done(next);
      wanted ||= isWanted;
    });
    given.addEventListener("abort", () => done(null), { once: true });
  });

const NOT_ENDED = (): Response =>
  problem({
    status: 409,
    code: "not_available",
    message: "That conversation has not ended. The action `continue` asks it for a summary to go on with.",
  });

const NOT_MADE = (): Response =>
  problem({
    status: 503,
    code: "not_continued",
    message: "The new conversation is not there yet. Ask again: there is never more than one.",
  });

/** Renames it (`title`), archives it or brings it back (`archived`): archiving stops what it does. Answers it as lists do. */
export const changeConversation = (deps: ConsoleDeps): Handler =>
  ofConversation(async (c, id) => {
    const { bot, operator } = deps;
    const { title, archived } = await readJson(c, deps, changeBody);
    const renamed = title === undefined ? DONE : await bot.rename(id, title, operator.id);
    const moved =
      renamed.kind !== "done" || archived === undefined
        ? renamed
        : await bot.archive(id, archived, operator.id);
    if (moved.kind !== "done") return refusedAnswer(moved);
    const detail = await bot.read(id);
    return detail === null ? unknownConversation() : c.json(summary(detail));
  });

/** Deletes it, its sub-agents and checkout: answers when nothing is left on the disk. For those who may approve. */
export const deleteConversation = ({ bot, operator }: ConsoleDeps): Handler =>
  ofConversation(async (c, id) => {
    if (!operator.mayApprove) return notAllowed("delete conversations");
    const removed = await bot.remove(id, operator.id);
    return removed.kind === "done" ? c.json({ result: "done" }) : refusedAnswer(removed);
  });

const refusedAnswer = (result: Exclude<ActResult, { readonly kind: "done" }>): Response => {
  switch (result.kind) {
    case "failed":
      return storageProblem(result);
    case "unknown":
      return unknownConversation();
    case "refused":
      return refusalProblem(result.why);
  }
};

const changeBody = z
  .strictObject({
    title: z.string().trim().min(1, "must say something").max(200).optional(),
    archived: z.boolean().optional(),
  })
  .refine(({ title, archived }) => title !== undefined || archived !== undefined, "names nothing to change");

const DONE: ActResult = { kind: "done" };
