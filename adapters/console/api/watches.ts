/** What begins threads by itself in chat channels: listed, switched on, changed and taken away, as `/parley watch` does. */

import * as z from "zod";
import { FORGES, HEARD, type Source, type WatchAnswer } from "../../../src/ports/watch/watches.ts";
import { given } from "../../../src/text/given.ts";
import type { ConsoleDeps } from "../deps.ts";
import type { Handler } from "../handler.ts";
import type { Watching } from "../render/api-types.ts";
import { readJson } from "./body.ts";
import { accepted, bad } from "./problem.ts";
import { channelAddress, dollarsADay } from "./schema.ts";
import { english } from "../../../src/i18n/say.ts";

/** Every watch of every channel, with what waits and what was spent today. */
export const listWatches: Handler = ({ watches }, c) => c.json({ watches: watches.all().map(shown) });

/** Switches one on: `surface`, `place`, and one of `every` (as `/parley every`), `hook`, `posts` or `forge`; `name`, `mode`, `instructions`. */
export const addWatch: Handler = async ({ watches, operator }, c) => {
  const { every, hook, posts, forge, ...watch } = await readJson(c, watchBody);
  const read = every === undefined ? null : await watches.readSchedule(every);
  if (read?.kind === "unclear") throw bad("unclear_schedule", read.why);
  const source: Source | undefined = read?.source ?? hook ?? posts ?? forge;
  if (source === undefined) throw bad("invalid_request", "Name one of every, hook, posts and forge.");
  return answer(await watches.add({ ...watch, source, by: operator.id }));
};

/** Changes one: `standing` (`on` or `paused`), `perHour`, `budgetUsd` a day. */
export const changeWatch: Handler = async ({ watches, operator }, c) => {
  const { budgetUsd: budget, ...set } = await readJson(c, changeBody);
  const change = { ...set, ...given({ budget }) };
  return answer(await watches.change(c.req.param("id") ?? "", change, operator.id));
};

/** Takes one away; what of it waits is dropped. */
export const removeWatch: Handler = async ({ watches }, c) =>
  answer(await watches.remove(c.req.param("id") ?? ""));

const answer = (done: WatchAnswer): Response => {
  if (done.kind === "refused") throw bad("unusable_watch", done.why(english));
  return Response.json({ watch: shown(accepted(done).watch) });
};

const shown = ({ budget, spent, ...watch }: ReturnType<ConsoleDeps["watches"]["all"]>[number]): Watching => ({
  ...watch,
  budgetUsd: budget === null ? null : budget / 1_000_000,
  spentUsd: spent / 1_000_000,
});

const path = z.string().min(1).max(500).nullable().default(null);

const watchBody = channelAddress.extend({
  /** Of a hook: its address. */
  name: z.string().min(1).max(100).nullable().default(null),
  mode: z.string().min(1).max(100).nullable().default(null),
  instructions: z.string().nullable().default(null),
  every: z.string().max(8_000).optional(),
  hook: z
    .strictObject({ title: path, text: path, key: path })
    .transform((one) => ({ ...one, kind: "hook" as const }))
    .optional(),
  posts: z
    .strictObject({ app: z.string().regex(/^[A-Z0-9]{6,25}$/, "must be an app's id") })
    .transform((one) => ({ ...one, kind: "posts" as const }))
    .optional(),
  forge: z
    .strictObject({
      forge: z.enum(FORGES),
      hears: z.array(z.enum(HEARD)).min(1),
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
