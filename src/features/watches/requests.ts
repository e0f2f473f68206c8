import * as z from "zod";
import {
  FORGES,
  FORGE_EVENT_KINDS,
  type WatchSource,
  type WatchAnswer,
  type WatchSummary,
} from "./store/watches.ts";
import { peopleOptions } from "./people/options.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";
import { jsonOf } from "../../../adapters/http/body.ts";
import { readEmoji } from "./emoji.ts";
import type { WatchesContext } from "./open.ts";
import type { Watching } from "./watching.ts";
import { accepted, badRequest } from "../../../adapters/http/problem.ts";
import { channelAddress, dollarsADay } from "../../../adapters/http/fields.ts";
import { english } from "../../i18n/say.ts";

export const listWatches = ({ book }: WatchesContext): Response =>
  Response.json({ watches: book.all().map(shown) });

export const addWatch = async ({ book, operator }: WatchesContext, request: Request): Promise<Response> => {
  const { every, hook, posts, forge, people, emoji, ...watch } = await jsonOf(request, watchBody);
  const read = every === undefined ? null : await book.readSchedule(every);
  if (read?.kind === "unclear") throw badRequest("unclear_schedule", read.why);
  const source: WatchSource | undefined =
    read?.source ?? hook ?? posts ?? forge ?? peopleIn(people) ?? emojiSource(watch.surface, emoji);
  if (source === undefined)
    throw badRequest("invalid_request", "Name one of every, hook, posts, forge, people and emoji.");
  return answer(await book.add({ ...watch, source, by: operator.id }));
};

const emojiSource = (surface: string, typed: string | undefined): WatchSource | undefined => {
  if (typed === undefined) return undefined;
  const read = readEmoji(surface, typed);
  if (read.kind !== "emoji") throw badRequest("unusable_emoji", "This emoji cannot start a thread.");
  return read;
};

export const changeWatch = async (
  { book, operator }: WatchesContext,
  request: Request,
  id: string,
): Promise<Response> => {
  const { budgetUsd: budget, ...set } = await jsonOf(request, changeBody);
  const change = { ...set, ...omitUndefined({ budget }) };
  return answer(await book.change(id, change, operator.id));
};

export const removeWatch = async ({ book }: WatchesContext, id: string): Promise<Response> =>
  answer(await book.remove(id));

const answer = (done: WatchAnswer): Response => {
  if (done.kind === "refused") throw badRequest("unusable_watch", done.why(english));
  return Response.json({ watch: shown(accepted(done).watch) });
};

const shown = ({ budget, spent, ...watch }: WatchSummary): Watching => ({
  ...watch,
  budgetUsd: budget === null ? null : budget / 1_000_000,
  spentUsd: spent / 1_000_000,
});

/** `typed`: options as the command reads them. */
const peopleIn = (typed: string | undefined): WatchSource | undefined => {
  if (typed === undefined) return undefined;
  const read = peopleOptions(typed);
  if (read.kind === "unclear") throw badRequest("invalid_request", read.why(english));
  return read.source;
};

const path = z.string().min(1).max(500).nullable().default(null);

const watchBody = channelAddress.extend({
  name: z.string().min(1).max(100).nullable().default(null),
  mode: z.string().min(1).max(100).nullable().default(null),
  instructions: z.string().nullable().default(null),
  every: z.string().max(8_000).optional(),
  people: z.string().max(2_000).optional(),
  hook: z
    .strictObject({ title: path, text: path, key: path })
    .transform((one) => ({ ...one, kind: "hook" as const }))
    .optional(),
  posts: z
    .strictObject({ app: z.string().regex(/^[A-Z0-9]{6,25}$/, "must be an app's id") })
    .transform((one) => ({ ...one, kind: "posts" as const }))
    .optional(),
  emoji: z.string().min(1).max(120).optional(),
  forge: z
    .strictObject({
      forge: z.enum(FORGES),
      hears: z.array(z.enum(FORGE_EVENT_KINDS)).min(1),
      label: z.string().min(1).max(100).nullable().default(null),
      called: z
        .string()
        .regex(/^[\w-]{1,60}$/)
        .default("parley"),
    })
    .transform((one) => ({ ...one, kind: "forge" as const }))
    .optional(),
});

const changeBody = z.strictObject({
  standing: z.enum(["on", "paused"]).exactOptional(),
  perHour: z.int().exactOptional(),
  budgetUsd: dollarsADay.optional(),
});
