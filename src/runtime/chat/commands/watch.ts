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
  const forge = FORGES.find((one) => one === id);
  if (id === "hook" || forge !== undefined) {
    const typed = rest.trim().slice(id.length);
    const read = forge === undefined ? hookOf(typed) : forgeOf(forge, typed);
    return typeof read === "string" ? read : answer(await watches.add({ ...order, ...read }));
  }
  if (!here.some((one) => one.id === id)) return nothingText(id, here);
  const change = changeOf(verb, more);
  return change === null ? HOW : answer(await watches.change(id, change, by));
};

/** `NAME [mode MODE] [title=PATH] [text=PATH] [key=PATH][: INSTRUCTIONS]` */
const hookOf = (typed: string): Pick<WatchOrder, "name" | "source" | "mode" | "instructions"> | string => {
  const { options: words, instructions } = parted(typed);
  const [name = "", ...options] = words;
  if (name === "") return HOW;
  const fields = new Map<string, string>();
  for (let index = 0; index < options.length; index += 1) {
    const option = options[index] ?? "";
    const [, key = "", value = ""] = /^(title|text|key)=(\S+)$/.exec(option) ?? [];
    const mode = option === "mode" ? options[index + 1] : undefined;
    if (mode !== undefined) {
      fields.set("mode", mode);
      index += 1;
    } else if (key !== "") fields.set(key, value);
    else return `I understood: a hook named \`${name}\`. What is \`${option.slice(0, 60)}\`? ${HOW}`;
  }
  const field = (key: string): string | null => fields.get(key) ?? null;
  return {
    name,
    mode: field("mode"),
    instructions,
    source: { kind: "hook", title: field("title"), text: field("text"), key: field("key") },
  };
};

/** `[issues] [pulls] [reviews] [checks] [mentions] [label=NAME] [as=NAME] [mode MODE][: INSTRUCTIONS]` */
const forgeOf = (
  forge: Forge,
  typed: string,
): Pick<WatchOrder, "name" | "source" | "mode" | "instructions"> | string => {
  const { options, instructions } = parted(typed);
  const at = options.indexOf("mode");
  const mode = at === -1 ? null : (options[at + 1] ?? null);
  const rest = at === -1 ? options : options.filter((_, index) => index !== at && index !== at + 1);
  const hears = HEARD.filter((one) => rest.includes(one));
  const [label = null] = rest.flatMap((one) => /^label=(\S{1,100})$/.exec(one)?.[1] ?? []);
  const [called = "parley"] = rest.flatMap((one) => /^as=@?([\w-]{1,60})$/.exec(one)?.[1] ?? []);
  const unknown = rest.find((one) => !HEARD.some((known) => known === one) && !/^(label|as)=\S+$/.test(one));
  if (unknown !== undefined)
    return `What is \`${unknown.slice(0, 60)}\`? A watch of ${forge} hears any of ${HEARD.map((one) => `\`${one}\``).join(", ")}, with \`label=NAME\` only issues that have it, and \`as=NAME\` says what comments call me.`;
  return {
    name: null,
    mode,
    instructions,
    source: { kind: "forge", forge, hears: hears.length === 0 ? ["issues"] : hears, label, called },
  };
};

/** What stands before the colon in words, and what behind it. */
const parted = (
  typed: string,
): { readonly options: readonly string[]; readonly instructions: string | null } => {
  const [, head = "", , said = ""] = /^([^:]*)(:\s*([^]*))?$/u.exec(typed.trim()) ?? [];
  const options = head.split(/\s+/u).filter((one) => one !== "");
  return { options, instructions: said.trim() === "" ? null : said.trim() };
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
  if (source.kind === "schedule") return [];
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
  "Those who may approve add one: `/parley every weekday 09:00 Europe/Berlin: TEXT`, `/parley watch hook NAME: WHAT TO DO` or `/parley watch github issues checks`; `/parley watch NAME pause`, `resume` or `limit THREADS-AN-HOUR DOLLARS-A-DAY` changes one, `/parley unwatch NAME` removes it.";
