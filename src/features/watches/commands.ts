/**
 * `/parley watch`, `unwatch`, `watches` and `every`: lists and changes the watches of a channel. Everyone may list them;
 * approvers of PARLEY_APPROVERS change them.
 */

import {
  type Forge,
  FORGES,
  FORGE_EVENT_KINDS,
  type PeopleSource,
  type WatchSource,
  type WatchAnswer,
  type WatchBook,
  type WatchChange,
  type WatchOrder,
  type WatchSummary,
} from "./store/watches.ts";
import type { Label, Say, Sentence } from "../../i18n/say.ts";
import { emojiText } from "../../text/emoji.ts";
import { readEmoji } from "./emoji.ts";
import { peopleText } from "./people/people-text.ts";
import { peopleOptions } from "./people/options.ts";
import { scheduleText } from "./schedule-text.ts";
import type { RequestingPerson, ChatDeps } from "../../runtime/chat/people/deps.ts";
import {
  NO_OPTIONS,
  type Command,
  type CommandContext,
  defineCommand,
} from "../../runtime/chat/commands/define-command.ts";
import { MAX_TEXT, type Option, ownText } from "../../runtime/chat/commands/options.ts";
import { momentText, storageText } from "../../runtime/chat/people/reply-texts.ts";
import { surfacePersonId } from "../../runtime/chat/people/rights.ts";

/** Position in the list of commands, after a channel's settings. */
const BEFORE = { channel: "rename", menu: "rename" } as const;

const MAY_NOT: Label =
  "Only host approvers (PARLEY_APPROVERS) can add watches. Ask one of them; `/parley watches` lists the existing ones.";
const SCHEDULE = ownText("schedule", "weekday 09:00 Europe/Berlin: what to do", {
  required: true,
  max: MAX_TEXT,
});
const WHAT: Option<string> = {
  ...ownText(
    "what",
    "New: github issues: TASK or hook NAME: TASK. Change: NAME pause, NAME resume or NAME limit 6 2.50",
    {
      required: true,
      max: MAX_TEXT,
    },
  ),
  isName: true,
};
const NAME: Option<string> = {
  ...ownText("name", "Name", { required: true, max: 40 }),
  isName: true,
};

export const watchCommands = (book: () => WatchBook): readonly Command[] => [
  watchesCommand(book),
  everyCommand(book),
  watchCommand(book),
  unwatchCommand(book),
];

const watchesCommand = (book: () => WatchBook): Command =>
  defineCommand({
    words: ["watches"],
    ...NO_OPTIONS,
    rights: "everybody",
    help: {
      does: "Rules that start threads in this channel automatically",
      channel: "`/parley watches` lists the rules that start threads here automatically",
      before: BEFORE,
    },
    slash: ({ run }) => run(null),
    run: ({ deps, asking }) => listText(watchesAt(book(), deps, asking), deps.say),
  });

const everyCommand = (book: () => WatchBook): Command =>
  defineCommand({
    words: ["every"],
    options: [SCHEDULE],
    read: (valueOf) => valueOf(SCHEDULE) ?? undefined,
    rights: { right: "mayManage", refusal: MAY_NOT },
    help: {
      does: "Start a thread at set times (only for host approvers)",
      channel:
        "`/parley every WHEN: TEXT` and `/parley watch hook NAME|github|gitlab: WHAT TO DO` add a watch, `/parley unwatch NAME` removes a watch",
      before: BEFORE,
    },
    slash: ({ typed, run }) => run(typed),
    run: async (context, typed) => {
      const { say } = context.deps;
      const read = await book().readSchedule(typed);
      return read.kind === "unclear"
        ? read.why
        : answer(await book().add({ ...orderedBy(context), source: read.source }), say);
    },
  });

const watchCommand = (book: () => WatchBook): Command =>
  defineCommand({
    words: ["watch"],
    options: [WHAT],
    read: (valueOf) => valueOf(WHAT) ?? undefined,
    rights: { right: "mayManage", refusal: MAY_NOT, isFree: (typed) => typed.trim() === "" },
    help: {
      does: "Start threads for events, or change a watch (only for host approvers)",
      before: BEFORE,
    },
    slash: ({ typed, run }) => run(typed),
    run: async (context, typed) => {
      const { deps, asking } = context;
      const { say } = deps;
      const here = watchesAt(book(), deps, asking);
      if (typed.trim() === "") return listText(here, say);
      const [id = ""] = /^[^\s:]+/u.exec(typed.trim()) ?? [];
      const after = typed.trim().slice(id.length);
      const [verb = "", ...values] = after.trim().split(/\s+/u);
      const read = id === "emoji" ? emojiOf(deps.name, after, say) : orderOf(id, after, say);
      if (read !== null)
        return typeof read === "string"
          ? read
          : answer(await book().add({ ...orderedBy(context), ...read }), say);
      if (!here.some((one) => one.id === id))
        return FORGE_EVENT_KINDS.some((one) => one === id)
          ? say(FORGE_FIRST, { event: id })
          : nothingText(id, here, say);
      const change = changeOf(verb, values);
      return change === null ? say(HOW) : answer(await book().change(id, change, orderedBy(context).by), say);
    },
  });

const unwatchCommand = (book: () => WatchBook): Command =>
  defineCommand({
    words: ["unwatch"],
    options: [NAME],
    read: (valueOf) => valueOf(NAME) ?? undefined,
    rights: { right: "mayManage", refusal: MAY_NOT },
    help: { does: "Remove a watch (only for host approvers)", before: BEFORE },
    slash: ({ typed, run }) => run(typed),
    run: async ({ deps, asking }, typed) => {
      const { say } = deps;
      const here = watchesAt(book(), deps, asking);
      const [id = ""] = typed.trim().split(/\s+/u);
      if (!here.some((one) => one.id === id)) return nothingText(id, here, say);
      const done = await book().remove(id);
      return done.kind === "done"
        ? say("Removed: `{name}` no longer starts threads.", { name: id })
        : answer(done, say);
    },
  });

const watchesAt = (
  book: WatchBook,
  { name }: ChatDeps,
  { place }: RequestingPerson,
): readonly WatchSummary[] => book.all().filter((one) => one.surface === name && one.place === place);

const orderedBy = ({ deps, asking, person }: CommandContext) => ({
  surface: deps.name,
  place: asking.place,
  by: surfacePersonId(deps.name, person.id),
  name: null,
  mode: null,
  instructions: null,
});

type Ordered = Pick<WatchOrder, "source" | "mode" | "instructions"> & Partial<Pick<WatchOrder, "name">>;

/** Null if the first word is not a kind of watch; a sentence if the rest is invalid. */
const orderOf = (kind: string, typed: string, say: Say): Ordered | string | null => {
  const forge = FORGES.find((one) => one === kind);
  if (kind !== "hook" && kind !== "app" && kind !== "people" && forge === undefined) return null;
  const { options, ...common } = parted(typed);
  if (kind === "people") {
    const read = peopleOptions(options.join(" "));
    return read.kind === "source" ? { ...common, source: read.source } : read.why(say);
  }
  if (forge !== undefined) return forgeOf(forge, options, common, say);
  return kind === "app" ? appOf(options, common, say) : hookOf(options, common, say);
};

type Common = Pick<WatchOrder, "mode" | "instructions">;

/** Parses `NAME [title=PATH] [text=PATH] [key=PATH]`. */
const hookOf = ([name = "", ...options]: readonly string[], common: Common, say: Say): Ordered | string => {
  if (name === "") return say(HOW);
  const fields = new Map<string, string>();
  for (const option of options) {
    const [, key = "", value = ""] = /^(title|text|key)=(\S+)$/.exec(option) ?? [];
    if (key === "")
      return `${say("I understood a hook named `{name}`, but not `{option}`.", { name, option: option.slice(0, 60) })} ${say(HOW)}`;
    fields.set(key, value);
  }
  const field = (key: string): string | null => fields.get(key) ?? null;
  return {
    ...common,
    name,
    source: { kind: "hook", title: field("title"), text: field("text"), key: field("key") },
  };
};

/** Parses `ID`, as shown by the platform or as a mention. */
const appOf = (options: readonly string[], common: Common, say: Say): Ordered | string => {
  const [app] = options.flatMap((one) => /^(?:<@!?|@)?([A-Z0-9]{6,25})(?:\|[^>]*)?>?$/.exec(one)?.[1] ?? []);
  return app === undefined || options.length > 1
    ? say(
        "Which app? Name the app by its id: on Slack `A…`, `B…` or `U…`, on Discord a number. Example: `/parley watch app A012ABCD: Find the cause`. docs/watch.md says where to find the id.",
      )
    : { ...common, source: { kind: "posts", app } };
};

/** Parses `EMOJI TASK`. The emoji may have colons of its own. */
const emojiOf = (surface: string, typed: string, say: Say): Ordered | string => {
  const [, shown = "", said = ""] = /^\s*(\S+)\s*:?\s*([^]*)$/u.exec(typed) ?? [];
  const read = readEmoji(surface, shown);
  switch (read.kind) {
    case "stops":
      return say("{emoji} stops a turn. Choose another emoji.", { emoji: ":x:" });
    case "unknown":
      return say(
        "I do not know this emoji. Choose it from the emoji menu, and write the task after it: `/parley watch emoji :mag: Find the cause`.",
      );
    case "emoji":
      return said.trim() === ""
        ? say("Write the task after the emoji: `/parley watch emoji :mag: Find the cause`.")
        : { mode: null, instructions: said.trim(), source: read };
  }
};

/** Parses `[issues] [pulls] [reviews] [checks] [mentions] [follow] [label=NAME] [as=NAME]`. */
const forgeOf = (forge: Forge, options: readonly string[], common: Common, say: Say): Ordered | string => {
  const hears = FORGE_EVENT_KINDS.filter((one) => options.includes(one));
  const [label = null] = options.flatMap((one) => /^label=(\S{1,100})$/.exec(one)?.[1] ?? []);
  const [called = "parley"] = options.flatMap((one) => /^as=@?([\w-]{1,60})$/.exec(one)?.[1] ?? []);
  const unknown = options.find(
    (one) => !FORGE_EVENT_KINDS.some((known) => known === one) && !/^(label|as)=\S+$/.test(one),
  );
  if (unknown !== undefined)
    return say(
      "`{option}` is not an option. A watch of {forge} accepts any of {events}. `label=NAME` limits the watch to issues with that label. `as=NAME` sets the name by which comments mention me.",
      {
        option: unknown.slice(0, 60),
        forge,
        events: FORGE_EVENT_KINDS.map((one) => `\`${one}\``).join(", "),
      },
    );
  return {
    ...common,
    source: { kind: "forge", forge, hears: hears.length === 0 ? ["issues"] : hears, label, called },
  };
};

/** Splits typed text at the colon: words before the colon, without `mode MODE`, and instructions after the colon. */
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

/** Parses `pause`, `resume`, `limit 6`, `limit 6 2.50` and `limit 6 none`. */
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

const answer = (done: WatchAnswer, say: Say): string => {
  switch (done.kind) {
    case "done":
      return [line(done.watch, say), ...more(done.watch, say)].join("\n");
    case "refused":
      return done.why(say);
    case "failed":
      return storageText(done.message, say);
  }
};

const more = ({ source, id }: WatchSummary, say: Say): readonly string[] => {
  if (source.kind === "people") return [peopleNotice(source, id, say)];
  if (source.kind !== "hook" && source.kind !== "forge") return [];
  const address = source.kind === "forge" ? source.forge : id;
  return [
    say(
      "The hook's address is `/hooks/{address}` of this host. The operator reads its secret with `npm run hook -- {address}`.",
      { address },
    ),
  ];
};

const peopleNotice = ({ postsPerHour, lookBudget }: PeopleSource, id: string, say: Say): string =>
  [
    say("I read at most {posts} posts an hour, and most of them get no answer.", { posts: postsPerHour }),
    ...(lookBudget === null
      ? []
      : [say("Reading costs at most {most} a day.", { most: dollars(lookBudget) })]),
    say(
      "Tell people that the channel is watched, for example in its topic: “Parley reads new posts here ({name}). `/parley ignore me` excludes yours.”",
      { name: id },
    ),
  ].join(" ");

const listText = (watches: readonly WatchSummary[], say: Say): string =>
  watches.length === 0
    ? `${say("No watches in this channel.")} ${say(HOW)}`
    : [say("Watches in this channel:"), ...watches.map((one) => `• ${line(one, say)}`)].join("\n");

const line = (one: WatchSummary, say: Say): string => {
  const { id, source, mode, standing, perHour, budget, spent } = one;
  const what = whatText(source, say);
  const threads = say("at most {count} threads an hour", { count: perHour });
  const bounds =
    budget === null
      ? threads
      : `${threads}, ${say("{spent} of {most} today", { spent: dollars(spent), most: dollars(budget) })}`;
  const parts = [
    `\`${id}\`: ${what}`,
    ...(mode === null ? [] : [say("mode {mode}", { mode })]),
    bounds,
    standingText(one, say),
    ...(standing.kind === "on" && one.next !== null
      ? [say("next {time}", { time: momentText(one.next) })]
      : []),
  ];
  return `${parts.join("; ")}.`;
};

const whatText = (source: WatchSource, say: Say): string => {
  switch (source.kind) {
    case "schedule":
      return `${scheduleText(source, say)}: ${source.text.slice(0, 80)}`;
    case "hook":
      return say("a signed webhook");
    case "posts":
      return say("posts of the app {app}", { app: source.app });
    case "people":
      return peopleText(source, say);
    case "emoji":
      return say("the emoji {emoji}", { emoji: emojiText(source.emoji) });
    case "forge": {
      const told = { events: source.hears.join(", "), forge: source.forge };
      return source.label === null
        ? say("{events} of the channel's repository on {forge}", told)
        : say("{events} of the channel's repository on {forge} with the label {label}", {
            ...told,
            label: source.label,
          });
    }
  }
};

const standingText = ({ standing, waiting, held }: WatchSummary, say: Say): string => {
  const queue = waiting === 0 ? "" : `, ${say("{count} waiting", { count: waiting })}`;
  switch (standing.kind) {
    case "on":
      return `${say(held === null ? "on" : HELD[held])}${queue}`;
    case "paused":
      return `${say("paused by `{by}`", { by: standing.by })}${queue}`;
    case "off":
      return say("off after three failures in a row ({why})", { why: standing.why.replace(/\.$/, "") });
  }
};

const HELD: Readonly<Record<"hour" | "money", Label>> = {
  hour: "paused: hourly limit reached",
  money: "paused: daily budget spent",
};

const dollars = (amount: number): string => `$${(amount / 1_000_000).toFixed(2)}`;

const nothingText = (id: string, here: readonly WatchSummary[], say: Say): string => {
  const names = here.map((one) => `\`${one.id}\``).join(", ");
  return [
    say("There is no watch `{name}` in this channel.", { name: id.slice(0, 40) }),
    ...(here.length === 0 ? [] : [say("There are: {names}.", { names })]),
    say(HOW),
  ].join(" ");
};

const FORGE_FIRST =
  "Name the forge before the event: `/parley watch github {event}: WHAT TO DO` or `/parley watch gitlab {event}: WHAT TO DO`." satisfies Sentence;

const HOW: Label =
  "Host approvers add a watch: `/parley every weekday 09:00 Europe/Berlin: TEXT`, `/parley watch hook NAME: WHAT TO DO`, `/parley watch app ID: WHAT TO DO`, `/parley watch people: WHAT TO DO`, `/parley watch emoji :mag: WHAT TO DO` or `/parley watch github issues reviews checks`. `/parley watch NAME pause`, `resume` or `limit THREADS-AN-HOUR DOLLARS-A-DAY` changes a watch, `/parley unwatch NAME` removes a watch.";
