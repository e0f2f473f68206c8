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
import { type LookQuestion, lookText, readLook, type ReadLook } from "./first-look-prompt.ts";
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

/** Time in which the same words get the same silence. */
const SAME: Millis = HOUR;
const NO_WAITING = { all: 0, author: 0 };
/** Stands for the channel's knowledge before that knowledge is read. */
const NOTHING_KNOWN = { matters: [], notes: [], corrections: [] };

export type FirstLooks = ReturnType<typeof createFirstLooks>;

export const createFirstLooks = (deps: FirstLooksDeps) => {
  const { clock, looks, log, purse } = deps;
  /** Times of silent decisions by watch and words. */
  const silent = createLruCache<Millis>(2_000);

  const modelAt = ({ surface }: Watch, place: string): string =>
    deps.models.first ?? deps.chat.channel(surface, place)?.model ?? deps.model;

  /** Budgets of the channel, its server and the host; the budget of first looks belongs to the watch itself. */
  const payersOf = ({ surface }: Watch, { place, server }: PersonPost) =>
    deps.budgets.standings({ speaker: null, surface, place, server: server ?? null });

  const isSpent = (watch: Watch, person: PersonPost): boolean =>
    payersOf(watch, person).some(({ most, spent }) => most !== null && spent >= most);

  /**
   * `waiting`: posts that were taken and have no decision yet. `request`: the text for the model; before its text is complete, the
   * part that is certain.
   */
  const boundFor = (
    watch: Watch,
    { person, text }: Pick<PostEvent, "person" | "text">,
    waiting = NO_WAITING,
    request = lookText({ ...NOTHING_KNOWN, instructions: watch.instructions ?? "", post: text }),
  ): PostBound | null => {
    const { source } = watch;
    const { place, author } = person;
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
      price: priced === null ? 0 : priceOfLook(priced, modelAt(watch, place), Buffer.byteLength(request)),
      answers: { ...answers, author: answersFor(seen, author) },
    });
    return bound ?? (isSpent(watch, person) ? "money" : null);
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
    const bound = boundFor(watch, event);
    if (bound !== null) return left(watch, bound);
    const words = `${watch.id}/${person.place}/${event.fingerprint}`;
    if (clock.now() - (silent.get(words) ?? -Infinity) < SAME) return { kind: "decided", decision: SILENCE };
    const question = await questionOf(watch, event);
    const request = lookText(question);
    const now = boundFor(watch, event, NO_WAITING, request);
    if (now !== null) return left(watch, now);
    const answer = await ask(watch, person.place, question, request, signal);
    if (answer.cost > 0) await charge(watch, person, answer.cost);
    const { surface } = watch;
    const { place, author } = person;
    const at = clock.now();
    if (answer.kind === "aborted") {
      const { cost } = answer;
      await looks.putAborted({ watch: watch.id, surface, place, post, at, cost, author });
      return { kind: "later" };
    }
    const { cost, decision, reason } = answer;
    const stored = { watch: watch.id, surface, place, post, at, decision, reason, cost, author };
    const done = await looks.put({ ...stored, conversation: null });
    if (done.kind === "failed") return { kind: "later" };
    if (decision.kind === "nothing") silent.set(words, at);
    return { kind: "decided", decision };
  };

  const left = ({ id }: Watch, bound: PostBound): LookResult => {
    deps.leftOut.count(id, bound);
    return { kind: "left" };
  };

  const questionOf = async (
    { id, surface, instructions }: Watch,
    { person: { place }, post, text }: PostEvent,
  ): Promise<LookQuestion> => {
    const at = { surface, place };
    return {
      instructions: instructions ?? "",
      post: text,
      matters: await deps.matters.find(at, id, post, text),
      notes: deps.channelNotes(at),
      corrections: looks.corrections(id),
    };
  };

  type Asked =
    | (ReadLook & Pick<FirstLook, "cost"> & { readonly kind: "answered" })
    | (Pick<FirstLook, "cost"> & { readonly kind: "aborted" });

  const ask = async (
    watch: Watch,
    place: string,
    question: LookQuestion,
    request: string,
    signal: AbortSignal,
  ): Promise<Asked> => {
    const priced = deps.priced();
    if (priced === null) return { kind: "answered", ...FAILED, cost: 0 };
    const answer = await askFirstModel(priced, modelAt(watch, place), request, signal);
    const { cost } = answer;
    if (answer.kind === "aborted") return { kind: "aborted", cost };
    const read = answer.kind === "answered" ? readLook(answer.text, question) : null;
    if (read === null) log.warn("watches: first look without a valid decision", { watch: watch.id });
    return { kind: "answered", ...(read ?? (answer.kind === "failed" ? FAILED : INVALID)), cost };
  };

  /** The look is paid by the budgets of its channel, its server and the host. */
  const charge = async (watch: Watch, person: PersonPost, cost: MicroUsd): Promise<void> => {
    const scopes = payersOf(watch, person).map(({ scope }) => scope);
    const day = purse.today() ?? new Date(clock.now()).toISOString().slice(0, 10);
    if (scopes.length > 0) await purse.spend(day, scopes, cost);
  };

  return { look, boundFor };
};

const SILENCE = { kind: "nothing" } as const;
const FAILED: ReadLook = { decision: SILENCE, reason: "The first model did not answer." };
const INVALID: ReadLook = { decision: SILENCE, reason: "The first model gave no valid decision." };
