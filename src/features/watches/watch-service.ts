/** Reads and changes watches, in the same way for every surface. The caller checks the person's rights. */

import type { Millis, PersonId } from "../../machine/id.ts";
import type { ChatStore } from "../../ports/chat-rows.ts";
import type { Done, RandomId } from "../../ports/host.ts";
import { type BudgetBook, personScope, type SetBudget } from "../../ports/money.ts";
import type { Instants } from "./instants.ts";
import {
  FORGES,
  type WatchSource,
  type Watch,
  type WatchAnswer,
  type WatchBook,
  type WatchOrder,
  type WatchRows,
  type WatchSummary,
} from "./store/watches.ts";
import { speakerFor } from "./begin.ts";
import { MOST_PER_HOUR, USUAL_BUDGET, USUAL_PER_HOUR } from "./limits.ts";
import type { LocalizedText } from "../../i18n/say.ts";
import { readSchedule } from "./schedule.ts";
import type { Ticker } from "./ticker.ts";
import type { RunningWatcher, WatcherDeps } from "./watcher.ts";

/** Per channel. */
const MOST_WATCHES = 20;
/** Maximum number of characters of instructions and of a schedule's text. */
const MOST_TEXT = 4_000;
const LATELY = 5;
const NAME = /^[a-z0-9][a-z0-9-]{1,39}$/;

interface BookDeps extends Pick<WatcherDeps, "money" | "modes" | "clock"> {
  readonly watcher: RunningWatcher;
  readonly ticker: Pick<Ticker, "wake">;
  readonly instants: () => Promise<Instants>;
  readonly budgets: Pick<BudgetBook, "set">;
  readonly store: Pick<ChatStore, "binding">;
  readonly rows: Pick<WatchRows, "lately">;
  readonly randomId: RandomId;
  readonly isPeopleAllowed: boolean;
}

export const createWatchService = (deps: BookDeps): WatchBook => {
  const { watcher, ticker, clock } = deps;
  /** Loaded with the first schedule; until then no next time is shown. */
  let known: Instants | null = null;
  const load = async (): Promise<Instants> => (known ??= await deps.instants());

  const shown = (watch: Watch): WatchSummary => {
    const { most, spent } = deps.money(watch.id);
    const lately = deps.rows
      .lately(watch.id, LATELY)
      .map(({ conversation, event: { title }, count, last }) => ({ conversation, title, count, last }));
    return { ...watch, ...watcher.queue(watch.id), next: nextOf(watch), budget: most, spent, lately };
  };

  const nextOf = ({ source, standing }: Watch): Millis | null =>
    source.kind === "schedule" && standing.kind === "on"
      ? (known?.next(source, Math.max(source.last, clock.now())) ?? null)
      : null;

  const stored = async (watch: Watch): Promise<WatchAnswer> => {
    const done = await watcher.put(watch);
    if (done.kind === "failed") return done;
    if (watch.source.kind === "schedule") await load();
    ticker.wake();
    return { kind: "done", watch: shown(watch) };
  };

  const add = async (order: WatchOrder): Promise<WatchAnswer> => {
    const problem = problemOf(deps, watcher.all(), order);
    if (problem !== null) return refused(problem);
    const { name, ...rest } = order;
    const id = name ?? `${nameOf(order.source)}-${deps.randomId().slice(0, 4)}`;
    const watch: Watch = {
      ...rest,
      id,
      perHour: USUAL_PER_HOUR,
      standing: { kind: "on" },
      failures: 0,
      at: clock.now(),
    };
    const paid = await budget(deps, watch, USUAL_BUDGET, order.by);
    return paid.kind === "failed" ? paid : stored(watch);
  };

  return {
    all: () => watcher.all().map(shown),
    add,
    change: async (id, change, by) => {
      const watch = watcher.find(id);
      if (watch === null) return unknown(id);
      const perHour = change.perHour ?? watch.perHour;
      if (!Number.isInteger(perHour) || perHour < 1 || perHour > MOST_PER_HOUR)
        return refused((say) =>
          say("A watch can start 1 to {most} threads an hour.", { most: MOST_PER_HOUR }),
        );
      if (change.budget !== undefined) {
        const paid = await budget(deps, watch, change.budget, by);
        if (paid.kind === "failed") return paid;
      }
      const isResumed = change.standing === "on" && watch.standing.kind !== "on";
      const now = clock.now();
      return stored({
        ...watch,
        perHour,
        ...(change.standing === "paused" ? { standing: { kind: "paused", by } } : {}),
        ...(isResumed ? { ...fresh(watch, now), standing: { kind: "on", since: now }, failures: 0 } : {}),
      });
    },
    remove: async (id) => {
      const watch = watcher.find(id);
      if (watch === null) return unknown(id);
      const done = await watcher.drop(id);
      return done.kind === "failed" ? done : { kind: "done", watch: shown(watch) };
    },
    readSchedule: async (text) => {
      const colon = /:\s/u.exec(text);
      const when = colon === null ? text : text.slice(0, colon.index);
      const said = colon === null ? "" : text.slice(colon.index + 1).trim();
      const read = readSchedule(when);
      if (read.kind === "unclear") return read;
      const problem = (await load()).problem(read.rule);
      if (problem !== null) return { kind: "unclear", why: `I understood: ${read.spoken}. ${problem}` };
      if (said === "")
        return {
          kind: "unclear",
          why: `I understood: ${read.spoken}. What is to be done then? Write it after a colon: \`/parley every ${when.trim()}: TEXT\`.`,
        };
      const { rule, spoken } = read;
      return {
        kind: "schedule",
        source: { kind: "schedule", ...rule, spoken, text: said, last: clock.now() },
      };
    },
  };
};

const RESERVED: ReadonlySet<string> = new Set(FORGES);

const NAMES = { schedule: "every", hook: "hook", posts: "app", people: "people", emoji: "emoji" } as const;

const nameOf = (source: WatchSource): string => {
  if (source.kind === "forge") return source.forge;
  return NAMES[source.kind];
};

const problemOf = (
  { store, modes, isPeopleAllowed }: Pick<BookDeps, "store" | "modes" | "isPeopleAllowed">,
  all: readonly Watch[],
  { surface, place, name, source, mode, instructions }: WatchOrder,
): LocalizedText | null => {
  const there = all.filter((one) => one.surface === surface && one.place === place);
  if (store.binding(surface, place) === null)
    return (say) =>
      say(
        "No repository is chosen here, so a thread would have nothing to read. Choose one: `/parley repo owner/name`.",
      );
  if (there.length >= MOST_WATCHES)
    return (say) => say("A channel has at most {most} watches. Remove one first.", { most: MOST_WATCHES });
  if (name !== null && RESERVED.has(name))
    return (say) => say("`{name}` is the address of a forge's webhooks. Choose another name.", { name });
  if (name !== null && !NAME.test(name))
    return (say) => say("A name is 2 to 40 small letters, digits and hyphens, such as `alerts`.");
  if (name !== null && all.some(({ id }) => id === name))
    return (say) => say("A watch named `{name}` already exists on this host. Choose another name.", { name });
  const twin = there.find((one) => source.kind === "posts" && isOf(one, source.app));
  if (twin !== undefined)
    return (say) => say("The watch `{name}` already receives that app here.", { name: twin.id });
  const sameEmoji = there.find((one) => source.kind === "emoji" && isEmojiOf(one, source.emoji));
  if (sameEmoji !== undefined)
    return (say) => say("The watch `{name}` already has that emoji here.", { name: sameEmoji.id });
  if (source.kind === "people" && !isPeopleAllowed)
    return (say) =>
      say("The operator of this host does not allow watches of people (`PARLEY_WATCH_PEOPLE`).");
  if (source.kind === "people" && instructions === null)
    return (say) =>
      say(
        "Which posts matter, and what is to be done then? Write it after a colon: `/parley watch people: TEXT`.",
      );
  if (source.kind === "people" && source.incidents !== null && surface !== "slack")
    return (say) => say("Only Slack lets me join new channels by their names.");
  if (mode !== null && !modes.some(({ key }) => key === mode))
    return (say) =>
      say("There is no work mode `{mode}`. `/parley mode` lists them.", { mode: mode.slice(0, 40) });
  const longest = Math.max(instructions?.length ?? 0, source.kind === "schedule" ? source.text.length : 0);
  return longest > MOST_TEXT
    ? (say) => say("The text is too long: at most {most} characters.", { most: MOST_TEXT })
    : null;
};

const isEmojiOf = ({ source }: Watch, emoji: string): boolean =>
  source.kind === "emoji" && source.emoji === emoji;

const isOf = ({ source }: Watch, app: string): boolean => source.kind === "posts" && source.app === app;

/** Instants that passed while the watch was off are not caught up. */
const fresh = ({ source }: Watch, now: Millis): { readonly source: WatchSource } => ({
  source: source.kind === "schedule" ? { ...source, last: now } : source,
});

const budget = (
  { budgets }: Pick<BookDeps, "budgets">,
  watch: Watch,
  most: SetBudget["most"],
  by: PersonId,
): Promise<Done> => budgets.set(personScope(speakerFor(watch).id), most, by);

const unknown = (id: string): WatchAnswer =>
  refused((say) =>
    say("There is no watch `{name}`. `/parley watches` lists them.", { name: id.slice(0, 40) }),
  );

const refused = (why: LocalizedText): WatchAnswer => ({ kind: "refused", why });
