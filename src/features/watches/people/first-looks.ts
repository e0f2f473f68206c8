/**
 * First looks at posts of people: reads a post at most once, within the limits, and stores the decision before anything follows
 * from it, so that a crash repeats no thread. Invalid answers and failures are silence.
 */

import { DAY, HOUR, type Millis } from "../../../machine/id.ts";
import type { Core } from "../../../feature.ts";
import type { Log } from "../../../ports/host.ts";
import type { PricedModel } from "../../../ports/model.ts";
import { type MicroUsd, renewal } from "../../../ports/money.ts";
import { createLruCache } from "../../../text/lru-cache.ts";
import type { FirstLook, LookDecision, LookRows } from "../store/first-looks.ts";
import type { PersonPost, Watch, WatchEvent, WatchRows } from "../store/watches.ts";
import { askFirstModel, priceOfLook } from "./ask-first-model.ts";
import { boundOf, type PostBound } from "./bounds.ts";
import { lookText, readLook, type ReadLook } from "./first-look-prompt.ts";
import type { createKnownMatters } from "./known-matters.ts";
import type { createLeftOut } from "./left-out.ts";

export type PostEvent = WatchEvent & { readonly person: PersonPost; readonly post: string };

export type LookResult =
  | { readonly kind: "decided"; readonly decision: LookDecision }
  /** A limit left the post out. */
  | { readonly kind: "left" }
  /** The host is closing, or the decision could not be stored. */
  | { readonly kind: "later" };

export interface FirstLooksDeps
  extends Pick<Core, "clock" | "models" | "model" | "budgets" | "channelNotes"> {
  readonly log: Log;
  /** Null before the providers are known. */
  readonly priced: () => PricedModel | null;
  readonly chat: Pick<Core["chat"], "channel">;
  readonly purse: Pick<Core["purse"], "account" | "spend" | "today">;
  readonly looks: LookRows;
  readonly rows: Pick<WatchRows, "begunSince">;
  readonly matters: Pick<ReturnType<typeof createKnownMatters>, "find">;
  readonly leftOut: Pick<ReturnType<typeof createLeftOut>, "count">;
  readonly money: (watch: string) => { readonly most: MicroUsd | null; readonly spent: MicroUsd };
}

/** Bytes of a usual request, for limits before the request exists. */
const USUAL_BYTES = 8_000;
/** Time in which the same words get the same silence. */
const SAME: Millis = HOUR;
const NO_WAITING = { all: 0, author: 0 };

export type FirstLooks = ReturnType<typeof createFirstLooks>;

export const createFirstLooks = (deps: FirstLooksDeps) => {
  const { clock, looks, log, purse } = deps;
  /** Times of silent decisions by watch and words. */
  const silent = createLruCache<Millis>(2_000);

  const modelAt = ({ surface }: Watch, place: string): string =>
    deps.models.first ?? deps.chat.channel(surface, place)?.model ?? deps.model;

  /** Budgets of the channel and the host; the budget of first looks belongs to the watch itself. */
  const payersOf = ({ surface }: Watch, place: string) =>
    deps.budgets.standings({ speaker: null, surface, place, server: null });

  const isSpent = (watch: Watch, place: string): boolean =>
    payersOf(watch, place).some(({ most, spent }) => most !== null && spent >= most);

  /** `waiting`: posts that were taken and have no decision yet. */
  const boundFor = (watch: Watch, { place, author }: PersonPost, waiting = NO_WAITING): PostBound | null => {
    const { source } = watch;
    if (source.kind !== "people") return null;
    const now = clock.now();
    const today = renewal(now) - DAY;
    const seen = looks.since(watch.id, Math.min(today, now - HOUR) - 1);
    const priced = deps.priced();
    const answers = deps.money(watch.id);
    const bound = boundOf({
      now,
      today,
      author,
      looks: seen,
      waiting,
      postsPerHour: source.postsPerHour,
      threadsPerHour: watch.perHour,
      begun: deps.rows.begunSince(watch.id, now - HOUR),
      lookBudget: source.lookBudget,
      price: priced === null ? 0 : priceOfLook(priced, modelAt(watch, place), USUAL_BYTES),
      answers: { ...answers, author: answersFor(seen, author) },
    });
    return bound ?? (isSpent(watch, place) ? "money" : null);
  };

  const answersFor = (seen: ReturnType<LookRows["since"]>, author: string): MicroUsd =>
    seen.reduce(
      (sum, one) =>
        one.author === author && one.conversation !== null
          ? sum + (purse.account(one.conversation)?.turn.spent ?? 0)
          : sum,
      0,
    );

  const look = async (watch: Watch, event: PostEvent, signal: AbortSignal): Promise<LookResult> => {
    const { person, post } = event;
    const known = looks.find(watch.id, person.place, post);
    if (known !== null) return { kind: "decided", decision: known.decision };
    const bound = boundFor(watch, person);
    if (bound !== null) {
      deps.leftOut.count(watch.id, bound);
      return { kind: "left" };
    }
    const words = `${watch.id}/${person.place}/${event.fingerprint}`;
    if (clock.now() - (silent.get(words) ?? -Infinity) < SAME) return { kind: "decided", decision: SILENCE };
    const answer = await ask(watch, event, signal);
    if (answer === "aborted") return { kind: "later" };
    const { cost, decision, reason } = answer;
    if (cost > 0) await charge(watch, person.place, cost);
    const { surface } = watch;
    const { place, author } = person;
    const at = clock.now();
    const stored = { watch: watch.id, surface, place, post, at, decision, reason, cost, author };
    const done = await looks.put({ ...stored, conversation: null });
    if (done.kind === "failed") return { kind: "later" };
    if (decision.kind === "nothing") silent.set(words, at);
    return { kind: "decided", decision };
  };

  type Answered = ReadLook & Pick<FirstLook, "cost">;

  const ask = async (
    watch: Watch,
    { person: { place }, post, text }: PostEvent,
    signal: AbortSignal,
  ): Promise<Answered | "aborted"> => {
    const priced = deps.priced();
    if (priced === null) return { ...FAILED, cost: 0 };
    const at = { surface: watch.surface, place };
    const question = {
      instructions: watch.instructions ?? "",
      post: text,
      matters: await deps.matters.find(at, watch.id, post, text),
      notes: deps.channelNotes(at),
      corrections: looks.corrections(watch.id),
    };
    const answer = await askFirstModel(priced, modelAt(watch, place), lookText(question), signal);
    if (answer.kind === "aborted") return "aborted";
    const read = answer.kind === "answered" ? readLook(answer.text, question) : null;
    if (read === null) log.warn("watches: first look without a valid decision", { watch: watch.id });
    return { ...(read ?? (answer.kind === "failed" ? FAILED : INVALID)), cost: answer.cost };
  };

  /** The look is paid by the budgets of its channel and the host. */
  const charge = async (watch: Watch, place: string, cost: MicroUsd): Promise<void> => {
    const scopes = payersOf(watch, place).map(({ scope }) => scope);
    const day = purse.today() ?? new Date(clock.now()).toISOString().slice(0, 10);
    if (scopes.length > 0) await purse.spend(day, scopes, cost);
  };

  return { look, boundFor };
};

const SILENCE = { kind: "nothing" } as const;
const FAILED: ReadLook = { decision: SILENCE, reason: "The first model did not answer." };
const INVALID: ReadLook = { decision: SILENCE, reason: "The first model gave no valid decision." };
