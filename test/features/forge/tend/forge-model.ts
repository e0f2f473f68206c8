/** A forge and a bot in memory, for histories of one pull request that is looked after. */

import { expect } from "vitest";
import { z } from "zod";
import type { Detail } from "../../../../src/ports/bot.ts";
import type { WritableForges, WritableProject } from "../../../../src/features/forge/ports/forge-writer.ts";
import type { ForgeResult, PullChange } from "../../../../src/ports/forge.ts";
import { createTendGuard } from "../../../../src/features/forge/tend/guard.ts";
import type { ForgeRight } from "../../../../src/features/forge/tend/forge-right.ts";
import { createTendRows } from "../../../../src/features/forge/tend/rows.ts";
import { createTendRunner } from "../../../../src/features/forge/tend/runner.ts";
import type { RunnerDeps } from "../../../../src/features/forge/tend/runner-deps.ts";
import { tendSpeaker } from "../../../../src/features/forge/tend/turn-text.ts";
import { CLOSING } from "../../../../src/ports/host.ts";
import { type TendedPull, TEND_DAYS } from "../../../../src/features/forge/tend/bounds.ts";
import type { ConversationId } from "../../../../src/machine/id.ts";
import type { Store } from "../../../../src/ports/store.ts";
import { english } from "../../../../src/i18n/say.ts";
import type { StorePorts } from "../../../../src/store/write/grouped.ts";

export const BRANCH = "parley/c-1";
export const MOST = 3;
export const BUDGET = 1_000_000;
/** Milliseconds for which the forge wants no request after a refusal. */
const DEMANDED = 90_000;
const DAY = 86_400_000;

/** What a card of the agent shows. */
export interface ModelChange {
  readonly workflow?: boolean;
  readonly owned?: boolean;
  readonly large?: boolean;
  readonly red?: boolean;
}

export interface BoundPush extends ModelChange {
  readonly from: string;
  readonly to: string;
  readonly at: number;
  readonly spent: number;
  /** Commit of the last push of this conversation. */
  readonly lastOwn: string;
  readonly isStopped: boolean;
  readonly isSteered: boolean;
  /** Whether the person who clicked is still an approver. */
  readonly isApprover: boolean;
  /** The forge lets this person push. */
  readonly right: ForgeRight["kind"];
  readonly pullState: string;
}

interface ModelRemark {
  readonly id: string;
  readonly author: string;
  readonly text: string;
  readonly isBot: boolean;
}

type Phase = "idle" | "working" | "card";
type CheckOutcome = "failure" | "in progress" | "success";

const detailOf = z.custom<Detail>((value) => typeof value === "object");
const wordsOf = z.custom<ReturnType<Store["words"]>>((value) => value instanceof Map);
const projectOf = z.custom<WritableProject>((value) => typeof value === "object");

export const createForgeModel = async (opened: StorePorts, no: number) => {
  const conversation: ConversationId = `c-model${no}`;
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const rows = createTendRows(opened.rows, log);
  let now = 1_000_000;
  let commits = 1;
  let spent = 0;
  let trouble = false;
  let isConnected = true;
  let isApprover = true;
  let right: ForgeRight = { kind: "held" };
  let isSteered = false;
  let state = "open";
  let head = "k1";
  let phase: Phase = "idle";
  let how: "answered" | "interrupted" | "failed" | "stopped" = "answered";
  let speaker: string | null = null;
  let card: { readonly wire: string; readonly change: ModelChange; readonly fingerprint: string } | null =
    null;
  let cards = 0;
  /** Whether the process ends after the forge has taken the next push. */
  let losesPush = false;
  /** Whether the process ends after the bot has accepted the next message, before the row is stored. */
  let losesRow = false;
  const said = new Set<string>();
  let lastOwn = head;
  /** Happens between the decision and the push. */
  let meanwhile: (() => unknown) | null = null;
  const checks = new Map<string, { readonly id: string; readonly is: CheckOutcome }>();
  let checkRuns = 0;
  const remarks: ModelRemark[] = [];
  const pushes: BoundPush[] = [];
  const turns: { readonly remarks: readonly string[]; readonly text: string }[] = [];
  const told: string[] = [];
  const pull: TendedPull = {
    id: `p${no}`,
    conversation,
    surface: "slack",
    place: "C1",
    by: "slack:UALICE",
    byName: "alice",
    account: "alice-at-forge",
    name: "acme/shop#1",
    number: 1,
    branch: BRANCH,
    began: now,
    ends: now + TEND_DAYS * DAY,
    pushes: MOST,
    budget: BUDGET,
    head,
    expected: null,
    seen: [],
    turn: 0,
    tries: 0,
    phase: "watching",
    cause: { checks: false, remarks: [] },
    trouble: null,
    ended: null,
    told: false,
  };
  await rows.begin(pull);

  /** Time of the latest refusal; null if the process does not know any. */
  let refused: number | null = null;
  let early = 0;
  const found = async <T>(value: T): Promise<ForgeResult<T>> =>
    trouble
      ? { kind: "trouble", why: "The forge limits requests.", wait: DEMANDED }
      : { kind: "found", value };
  /** What the runner reads. Several requests of one read are sent together. */
  const read = <T>(value: T): Promise<ForgeResult<T>> => {
    if (refused !== null && now > refused && now < refused + DEMANDED) early += 1;
    if (trouble) refused = now;
    return found(value);
  };
  const project = projectOf.parse({
    name: "acme/shop",
    host: "github.com",
    pullSign: "#",
    pull: () => read({ number: 1, state, base: "main", head: BRANCH, headCommit: head, fork: null }),
    checks: (ref: string) => {
      const run = checks.get(ref);
      const runs =
        run === undefined
          ? []
          : [{ id: run.id, name: "test", state: run.is, failed: run.is === "failure", url: null, log: "x" }];
      return read({ ref, left: 0, runs });
    },
    remarks: () => read(remarks.map((one) => ({ ...one, thread: "1", on: "a:1", at: 1 }))),
    mayWrite: (person: string) => read(person === "writer"),
    ownersFile: () => read({ kind: "text", text: "owned.txt @team\n" }),
    desk: { branches: () => read(new Map([[BRANCH, head]])) },
  });
  const forges: WritableForges = { at: () => ({ kind: "project", project }) };

  const guard = createTendGuard();
  const waits: number[] = [];
  const clock = {
    now: () => now,
    after: (delay: number) => {
      waits.push(delay);
      return () => undefined;
    },
  };

  const pullOf = () =>
    found(state === "open" ? { name: pull.name, url: "https://github.com/acme/shop/pull/1" } : null);

  /** The host's own way to push, with the guard at its end. */
  const push = async (fingerprint: string, change: ModelChange | null, isOwn: boolean): Promise<boolean> => {
    const from = head;
    const to = `k${++commits}`;
    const admitted = await guard.admit(conversation, {
      branch: BRANCH,
      from,
      to,
      fingerprint,
      by: isOwn ? pull.by : "slack:UCAROL",
      desk: { pullOf, lastPullOf: pullOf },
      signal: new AbortController().signal,
    });
    if (admitted.kind !== "admitted" || head !== from) return false;
    // A person may click on any content that an earlier decision held.
    if (isOwn) expect(admitted.pull?.name).toBe(pull.name);
    const own = rows.find(pull.id);
    if (isOwn)
      pushes.push({
        ...change,
        from,
        to,
        at: now,
        spent,
        lastOwn,
        isStopped: own?.ended != null,
        isSteered,
        isApprover,
        right: right.kind,
        pullState: state,
      });
    head = to;
    lastOwn = to;
    if (losesPush) losesPush = false;
    else await guard.landed(conversation, { branch: BRANCH, from, to });
    return true;
  };

  const proposal = (change: ModelChange) => ({
    kind: "proposal",
    proposal: {
      project: "acme/shop",
      facts: [],
      files: [{ path: change.owned === true ? "owned.txt" : "a.txt", added: 1, removed: 0 }],
      unlisted: change.large === true ? 1 : 0,
      texts: [],
      draft: {
        tree: "t",
        base: "b",
        added: 1,
        removed: 0,
        diff: "",
        isDiffCut: false,
        delicate: change.workflow === true ? [{ why: "workflow", path: ".github/workflows/a.yml" }] : [],
        test: { command: "t", status: change.red === true ? 1 : 0, tail: "", seconds: 1 },
        commits: [],
      },
    },
  });

  const bot: RunnerDeps["bot"] = {
    read: () =>
      Promise.resolve(
        detailOf.parse({
          conversation: {
            id: conversation,
            repo: { kind: "url", location: "https://github.com/acme/shop.git" },
          },
          posts: [],
          question: card === null ? null : { wire: card.wire },
          state: {
            turn: {
              speaker: speaker === null ? null : { id: speaker },
              ...(isSteered ? { authors: ["slack:UBOB"] } : {}),
              end: phase === "idle" ? { why: how } : null,
            },
            phase:
              phase === "card"
                ? {
                    kind: "awaitingApproval",
                    question: { kind: "result", pull: true, shown: "m-1", fingerprint: card?.fingerprint },
                  }
                : { kind: phase === "working" ? "thinking" : "idle" },
          },
        }),
      ),
    say: ({ id, text, speaker: by }) => {
      if (said.has(id)) return Promise.resolve({ kind: "duplicate" });
      if (phase !== "idle") return Promise.resolve({ kind: "refused", why: "agent_busy" });
      said.add(id);
      speaker = by.id;
      phase = "working";
      isSteered = false;
      turns.push({ remarks: [...text.matchAll(/comment (c\d+) on/g)].map(([, id = ""]) => id), text });
      return Promise.resolve({ kind: "accepted" });
    },
    act: async (_, request) => {
      if (request.kind === "stop") {
        phase = "idle";
        how = "stopped";
        return { kind: "done" };
      }
      if (request.kind !== "decide" || card === null || card.wire !== request.question)
        return { kind: "refused", why: "stale" };
      const { fingerprint, change } = card;
      card = null;
      phase = "working";
      await meanwhile?.();
      meanwhile = null;
      await push(fingerprint, change, true);
      return { kind: "done" };
    },
  };

  const started = () => {
    const runner = createTendRunner({
      rows: {
        ...rows,
        turn: (id, turn) => {
          if (!losesRow || turn.phase !== "running") return rows.turn(id, turn);
          losesRow = false;
          return Promise.resolve(CLOSING);
        },
      },
      forges,
      bot,
      clock,
      log,
      words: () => wordsOf.parse(new Map([["m-1", proposal(card?.change ?? {})]])),
      spent: () => spent,
      drafts: { tree: async () => ({ kind: "none" }) },
      mayApprove: async () => isApprover,
      forgeRight: async () => right,
      limit: async () => undefined,
      sayIn: () => english,
      tell: async (_, key) => isConnected && (told.includes(key) || told.push(key) > 0),
    });
    guard.opened({ rows, clock, spent: () => spent, forgeRight: async () => right, wake: () => undefined });
    return runner;
  };
  let runner = started();

  return {
    pushes,
    turns,
    told,
    waits,
    setApprover: (is: boolean) => {
      isApprover = is;
    },
    setRight: (to: ForgeRight) => {
      right = to;
    },
    /** A person adds words to the turn. */
    steer: () => {
      if (phase === "working") isSteered = true;
    },
    setConnected: (is: boolean) => {
      isConnected = is;
    },
    rows,
    id: pull.id,
    ends: pull.ends,
    remarks,
    isOwnTurn: () => speaker === tendSpeaker(pull).id && phase !== "idle",
    head: () => head,
    /** The forge reports a change. */
    /** Requests before the time that the forge named. */
    early: () => early,
    report: (change: Partial<PullChange>) =>
      runner.reported({ repo: "github.com/acme/shop", numbers: [], branches: [], ...change }),
    settled: () => runner.settled(),
    run: async () => {
      runner.wake();
      await runner.settled();
    },
    check: (is: CheckOutcome) => void checks.set(head, { id: `k${++checkRuns}`, is }),
    remark: (author: string, text = "please rename") =>
      void remarks.push({ id: `c${remarks.length + 1}`, author, text, isBot: author === "bot" }),
    foreignPush: () => {
      head = `f${++commits}`;
    },
    /** Resets the branch to the first commit. */
    forcePush: () => {
      head = "k1";
    },
    humanPush: () => push(`human${commits}`, null, false),
    setState: (to: "merged" | "closed") => {
      state = to;
    },
    pass: (time: number) => {
      now += time;
    },
    spend: (amount: number) => {
      spent += amount;
    },
    setTrouble: (is: boolean) => {
      trouble = is;
    },
    stop: () => rows.end(pull.id, "stopped"),
    propose: (change: ModelChange) => {
      if (phase !== "working") return;
      cards += 1;
      card = { wire: `w${cards}`, change, fingerprint: `f${no}-${cards}` };
      phase = "card";
    },
    endTurn: (why: typeof how) => {
      if (phase !== "working") return;
      phase = "idle";
      how = why;
    },
    /** A person asks something in the thread. */
    ask: () => {
      if (phase !== "idle") return;
      speaker = "slack:UBOB";
      phase = "working";
    },
    /** A person decides about the card that waits. */
    click: async () => {
      if (card === null) return;
      const { fingerprint } = card;
      card = null;
      phase = "working";
      await push(fingerprint, null, false);
    },
    meanwhile: (what: () => unknown) => {
      meanwhile = what;
    },
    loseNextPush: () => {
      losesPush = true;
    },
    loseNextRow: () => {
      losesRow = true;
    },
    restart: async () => {
      await runner.close();
      if (phase === "working") {
        phase = "idle";
        how = "interrupted";
      }
      refused = null;
      runner = started();
    },
    close: () => runner.close(),
  };
};

export type ForgeModel = Awaited<ReturnType<typeof createForgeModel>>;
