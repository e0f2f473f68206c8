/**
 * `/parley watch`, `unwatch`, `watches` and `every`: what begins threads by itself in a channel. Everybody may see it; those
 * of PARLEY_APPROVERS switch it on and off.
 */

import type { Person } from "../../../ports/chat-platform.ts";
import type { Spot } from "../../../ports/chat.ts";
import {
  type Forge,
  FORGES,
  HEARD,
  type Source,
  type WatchAnswer,
  type WatchChange,
  type WatchOrder,
  type WatchShown,
} from "../../../ports/watch/watches.ts";
import type { ChatDeps } from "../deps.ts";
import type { Command } from "./command.ts";
import { clockTime, storageText } from "../reply-texts.ts";
import { personId, rightsOf } from "./rights.ts";

export const watch = async (
  deps: ChatDeps,
  { word, rest }: Extract<Command, { readonly kind: "watch" }>,
  { place }: Spot,
  person: Person,
): Promise<string> => {
  const { watches, name: surface } = deps;
  const here = watches.all().filter((one) => one.surface === surface && one.place === place);
  if (word === "watches" || (word === "watch" && rest.trim() === "")) return listText(here);
  if (!rightsOf(deps.policy, person).mayManage) return MAY_NOT;
  const by = personId(surface, person.id);
  const order = { surface, place, by, mode: null, instructions: null };
  if (word === "every") {
    const read = await watches.readSchedule(rest);
    if (read.kind === "unclear") return read.why;
    return answer(await watches.add({ ...order, name: null, source: read.source }));
  }
  const [id = "", verb = "", ...more] = rest.trim().split(/\s+/u);
  if (word === "unwatch") {
    if (!here.some((one) => one.id === id)) return nothingText(id, here);
    const done = await watches.remove(id);
    return done.kind === "done" ? `Removed: \`${id}\` begins no thread any more.` : answer(done);
  }
  const read = orderOf(id, rest.trim().slice(id.length));
  if (read !== null)
    return typeof read === "string" ? read : answer(await watches.add({ ...order, name: null, ...read }));
  if (!here.some((one) => one.id === id)) return nothingText(id, here);
  const change = changeOf(verb, more);
  return change === null ? HOW : answer(await watches.change(id, change, by));
};

type Ordered = Pick<WatchOrder, "source" | "mode" | "instructions"> & Partial<Pick<WatchOrder, "name">>;

/** Null where the first word names no kind of watch; a sentence where what follows it cannot be read. */
const orderOf = (kind: string, typed: string): Ordered | string | null => {
  const forge = FORGES.find((one) => one === kind);
  if (kind !== "hook" && kind !== "app" && forge === undefined) return null;
  const { options, ...common } = parted(typed);
  if (forge !== undefined) return forgeOf(forge, options, common);
  return kind === "app" ? appOf(options, common) : hookOf(options, common);
};

type Common = Pick<WatchOrder, "mode" | "instructions">;

/** `NAME [title=PATH] [text=PATH] [key=PATH]` */
const hookOf = ([name = "", ...options]: readonly string[], common: Common): Ordered | string => {
  if (name === "") return HOW;
  const fields = new Map<string, string>();
  for (const option of options) {
    const [, key = "", value = ""] = /^(title|text|key)=(\S+)$/.exec(option) ?? [];
    if (key === "")
      return `I understood: a hook named \`${name}\`. What is \`${option.slice(0, 60)}\`? ${HOW}`;
    fields.set(key, value);
  }
  const field = (key: string): string | null => fields.get(key) ?? null;
  return {
    ...common,
    name,
    source: { kind: "hook", title: field("title"), text: field("text"), key: field("key") },
  };
};

/** `ID`, as the platform shows it or as a mention. */
const appOf = (options: readonly string[], common: Common): Ordered | string => {
  const [app] = options.flatMap((one) => /^(?:<@!?)?([A-Z0-9]{6,25})(?:\|[^>]*)?>?$/.exec(one)?.[1] ?? []);
  return app === undefined || options.length > 1
    ? "Which app? Name it by its id: on Slack `A…`, `B…` or `U…`, on Discord a number, as in `/parley watch app A012ABCD: Find the cause`. docs/watch.md says where to find it."
    : { ...common, source: { kind: "posts", app } };
};

/** `[issues] [pulls] [reviews] [checks] [mentions] [follow] [label=NAME] [as=NAME]` */
const forgeOf = (forge: Forge, options: readonly string[], common: Common): Ordered | string => {
  const hears = HEARD.filter((one) => options.includes(one));
  const [label = null] = options.flatMap((one) => /^label=(\S{1,100})$/.exec(one)?.[1] ?? []);
  const [called = "parley"] = options.flatMap((one) => /^as=@?([\w-]{1,60})$/.exec(one)?.[1] ?? []);
  const unknown = options.find(
    (one) => !HEARD.some((known) => known === one) && !/^(label|as)=\S+$/.test(one),
  );
  if (unknown !== undefined)
    return `What is \`${unknown.slice(0, 60)}\`? A watch of ${forge} hears any of ${HEARD.map((one) => `\`${one}\``).join(", ")}, with \`label=NAME\` only issues that have it, and \`as=NAME\` says what comments call me.`;
  return {
    ...common,
    source: { kind: "forge", forge, hears: hears.length === 0 ? ["issues"] : hears, label, called },
  };
};

/** What stands before the colon in words, `mode MODE` taken out of them, and what behind it. */
const parted = (typed: string): Common & { readonly options: readonly string[] } => {
  const [, head = "", , said = ""] = /^([^:]*)(:\s*([^]*))?$/u.exec(typed.trim()) ?? [];
  const words = head.split(/\s+/u).filter((one) => one !== "");
  const at = words.indexOf("mode");
  const mode = at === -1 ? undefined : words[at + 1];
  return {
    options: mode === undefined ? words : words.toSpliced(at, 2),
    mode: mode ?? null,
    instructions: said.trim() === "" ? null : said.trim(),
  };
};

/** `pause`, `resume`, `limit 6`, `limit 6 2.50`, `limit 6 none`. */
const changeOf = (verb: string, [hour = "", dollars]: readonly string[]): WatchChange | null => {
  if (verb === "pause") return { standing: "paused" };
  if (verb === "resume") return { standing: "on" };
  if (verb !== "limit" || !/^\d{1,5}$/.test(hour)) return null;
  if (dollars === undefined) return { perHour: Number(hour) };
  if (dollars === "none") return { perHour: Number(hour), budget: null };
  const amount = /^\$?(\d{1,6}(?:\.\d{1,2})?)$/.exec(dollars)?.[1];
  return amount === undefined
    ? null
    : { perHour: Number(hour), budget: Math.round(Number(amount) * 1_000_000) };
};

const answer = (done: WatchAnswer): string => {
  switch (done.kind) {
    case "done":
      return [line(done.watch), ...more(done.watch)].join("\n");
    case "refused":
      return done.why;
    case "failed":
      return storageText(done.message);
  }
};

const more = ({ source, id }: WatchShown): readonly string[] => {
  if (source.kind === "schedule" || source.kind === "posts") return [];
  const address = source.kind === "forge" ? source.forge : id;
  return [
    `Its address is \`/hooks/${address}\` of this host. Whoever runs the host reads its secret with \`npm run hook -- ${address}\`.`,
  ];
};

const listText = (watches: readonly WatchShown[]): string =>
  watches.length === 0
    ? `Nothing begins a thread here by itself. ${HOW}`
    : ["Threads begin here by themselves:", ...watches.map((one) => `• ${line(one)}`)].join("\n");

const line = (one: WatchShown): string => {
  const { id, source, mode, standing, perHour, budget, spent } = one;
  const what = whatText(source);
  const money = budget === null ? "" : `, ${dollars(spent)} of ${dollars(budget)} today`;
  const bounds = `at most ${perHour} threads an hour${money}`;
  const parts = [
    `\`${id}\`: ${what}`,
    ...(mode === null ? [] : [`mode ${mode}`]),
    bounds,
    standingText(one),
    ...(standing.kind === "on" && one.next !== null ? [`next ${dayTime(one.next)}`] : []),
  ];
  return `${parts.join("; ")}.`;
};

const whatText = (source: Source): string => {
  switch (source.kind) {
    case "schedule":
      return `${source.spoken}: ${source.text.slice(0, 80)}`;
    case "hook":
      return "a signed webhook";
    case "posts":
      return `posts of the app ${source.app}`;
    case "forge": {
      const label = source.label === null ? "" : ` with the label ${source.label}`;
      return `${source.hears.join(", ")} of the channel's repository on ${source.forge}${label}`;
    }
  }
};

const standingText = ({ standing, waiting, held }: WatchShown): string => {
  const queue = waiting === 0 ? "" : `, ${waiting} waiting`;
  switch (standing.kind) {
    case "on":
      return `${held === null ? "on" : HELD[held]}${queue}`;
    case "paused":
      return `paused by \`${standing.by}\`${queue}`;
    case "off":
      return `off after three failures in a row (${standing.why.replace(/\.$/, "")})`;
  }
};

const HELD = { hour: "paused by its bound an hour", money: "paused by its bound of money" } as const;

const dollars = (amount: number): string => `$${(amount / 1_000_000).toFixed(2)}`;

const dayTime = (at: number): string => `${new Date(at).toISOString().slice(0, 10)} ${clockTime(at)}`;

const nothingText = (id: string, here: readonly WatchShown[]): string =>
  here.length === 0
    ? `There is no watch \`${id.slice(0, 40)}\` in this channel. ${HOW}`
    : `There is no watch \`${id.slice(0, 40)}\` in this channel. There are: ${here.map((one) => `\`${one.id}\``).join(", ")}. ${HOW}`;

const MAY_NOT =
  "Only those whom PARLEY_APPROVERS names switch on what begins threads by itself. Ask one of them; `/parley watches` lists what there is.";

const HOW =
  "Those who may approve add one: `/parley every weekday 09:00 Europe/Berlin: TEXT`, `/parley watch hook NAME: WHAT TO DO`, `/parley watch app ID: WHAT TO DO` or `/parley watch github issues checks`; `/parley watch NAME pause`, `resume` or `limit THREADS-AN-HOUR DOLLARS-A-DAY` changes one, `/parley unwatch NAME` removes it.";
