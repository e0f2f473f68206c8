/**
 * Checks once a minute for problems that the operator should know about. Each host checks itself, and the leader checks shared
 * resources.
 */

import type { Millis } from "../../machine/id.ts";
import type { AlertFacts, MissingPlatform, HostNotes } from "../../ports/alerts.ts";
import type { HostRole } from "../../ports/ownership.ts";
import type { Repo } from "../../ports/conversation.ts";
import type { GitProxies } from "../../ports/forge.ts";
import type { Clock } from "../../ports/host.ts";
import type { Model } from "../../ports/model.ts";
import type { BudgetBook } from "../../ports/money.ts";
import type { Store } from "../../ports/store.ts";
import { createRepeatingTask } from "../../runtime/bot/repeating-task.ts";
import type { Alerts } from "./alerts.ts";
import type { AlertRows } from "./ports.ts";

const EVERY: Millis = 60_000;
/** Time between two test writes after a successful one; each starts the writer thread. */
const TRIED_EVERY: Millis = 10 * EVERY;
/** Bytes: an alert starts below the first limit, and ends above the second. */
const LOW = 1e9;
const ENOUGH = 1.25e9;
export const LONG_OUTAGE: Millis = 24 * 3_600_000;
const TIERS = ["T0", "T1", "T2", "T3"];

const LOST_TEXT =
  "without a connection for more than two minutes. Parley retries and then reads the missed messages. If this continues, check the network and the status page of the platform.";

export interface HealthMonitorDeps {
  readonly alerts: Pick<Alerts, "set" | "own" | "lookAfter">;
  readonly among: Pick<HostRole, "host" | "leads">;
  readonly rows: Pick<AlertRows, "held"> & HostNotes;
  readonly store: Pick<Store, "waiting" | "load">;
  readonly budgets: Pick<BudgetBook, "overview">;
  readonly clock: Clock;
  /** Free bytes; null if unknown. */
  readonly free: () => Promise<number | null>;
  readonly surfaces: () => Readonly<Record<string, string>>;
  readonly away: () => readonly MissingPlatform[];
}

export const createHealthMonitor = (deps: HealthMonitorDeps) => {
  const { alerts, among, rows, store, budgets, clock } = deps;
  const noted = among.host === null ? "tier" : `tier of ${among.host}`;
  const wasOff = new Set<string>();
  let triedAt = -Infinity;

  const started = async (tier: string): Promise<void> => {
    const last = rows.note(noted) ?? tier;
    const weaker = alerts.own().find(({ key }) => key === "sandbox");
    const from = weaker?.facts.kind === "sandbox" ? weaker.facts.from : last;
    if (rank(tier) <= rank(from)) alerts.set("sandbox", null);
    else alerts.set("sandbox", { kind: "sandbox", from, to: tier, frozen: rows.held() });
    const isStronger = rank(tier) < rank(last) && weaker === undefined;
    for (const { key, facts, told } of alerts.own())
      if ((facts.kind === "fault" || facts.kind === "missed") && told === "began") alerts.set(key, null);
    alerts.set("stronger", isStronger ? { kind: "stronger", from: last, to: tier } : null);
    if (rows.note(noted) !== tier) await rows.setNote(noted, tier);
  };

  const lookAtDisk = async (): Promise<void> => {
    const free = await deps.free();
    if (free !== null && free < LOW) alerts.set("disk", { kind: "disk", free });
    else if (free !== null && free > ENOUGH) alerts.set("disk", null);
    if (clock.now() - triedAt < TRIED_EVERY) return;
    const written = await rows.setNote("looked", String(clock.now()));
    const isRefused = written.kind === "failed" && written.code !== "closing";
    triedAt = isRefused ? -Infinity : clock.now();
    alerts.set("writes", isRefused ? { kind: "writes", code: written.code } : null);
  };

  const lookAtBudget = (): void => {
    const day = budgets.overview().standings.find(({ scope }) => scope === "day");
    const [spent, most] = [day?.spent ?? 0, day?.most ?? null];
    const isNear = most !== null && most > 0 && spent >= 0.8 * most;
    const isSpent = isNear && spent >= most;
    alerts.set("budget 80", isNear && !isSpent ? { kind: "budget", share: 80, most } : null);
    alerts.set("budget 100", isSpent ? { kind: "budget", share: 100, most } : null);
  };

  const lookAtQuestions = (): void => {
    const late = store.waiting().filter(({ askedAt }) => clock.now() - askedAt >= LONG_OUTAGE);
    const keys = new Set(late.map(({ wire }) => `question ${wire}`));
    for (const { wire, conversation, type, askedAt } of late) {
      const surface = store.load(conversation)?.conversation.surface ?? "";
      alerts.set(`question ${wire}`, { kind: "question", wire, conversation, surface, type, askedAt });
    }
    settle("question", keys);
  };

  /**
   * Reports a surface that is off at two checks in a row, or without a connection for two minutes. Shorter problems often end
   * by themselves. The alert ends when the surface is on, or no longer configured.
   */
  const lookAtSurfaces = (lost: ReadonlySet<string>): void => {
    const keys = new Set<string>();
    for (const [surface, standing] of Object.entries(deps.surfaces())) {
      if (standing !== "on") keys.add(`surface ${surface}`);
      const isOff = standing.startsWith("off: ");
      if (isOff && wasOff.has(surface))
        alerts.set(`surface ${surface}`, { kind: "surface", surface, why: standing });
      if (isOff) wasOff.add(surface);
      else wasOff.delete(surface);
      if (!isOff && lost.has(surface))
        alerts.set(`surface ${surface}`, { kind: "surface", surface, why: LOST_TEXT });
    }
    settle("surface", keys);
  };

  const settle = (kind: AlertFacts["kind"], keys: ReadonlySet<string>): void => {
    for (const { key, facts } of alerts.own())
      if (facts.kind === kind && !keys.has(key)) alerts.set(key, null);
  };

  const look = async (): Promise<void> => {
    const lost = new Set(deps.away().flatMap(({ surface, isLong }) => (isLong ? surface : [])));
    if (among.leads()) {
      lookAtBudget();
      lookAtQuestions();
      lookAtSurfaces(lost);
      alerts.lookAfter();
    }
    await lookAtDisk();
  };

  const rounds = createRepeatingTask(clock, async () => {
    await look();
    rounds.wakeAfter(EVERY);
  });

  return {
    /** Compares the sandbox tier of this start with the tier of the last start. */
    started,
    look,
    model: (model: Model): Model => ({
      ...model,
      respond: async (request, hooks) => {
        const outcome = await model.respond(request, hooks);
        if (outcome.kind === "answered") alerts.set("model", null);
        const why = outcome.kind === "failed" ? outcome.failure.kind : null;
        if (why === "auth" || why === "billing" || why === "not_found")
          alerts.set("model", { kind: "model", why });
        return outcome;
      },
    }),
    /** Wraps the git proxies and reports whether the forge accepts the credential. */
    doors: (doors: GitProxies): GitProxies => ({
      open: async (repo) => {
        const door = await doors.open(repo);
        if (door === null) return null;
        const close = (): Promise<void> => {
          const refusal = door.refusal()?.kind;
          const forge = forgeOf(repo);
          if (refusal === "expired") alerts.set(`forge ${forge}`, { kind: "forge", forge });
          else if (refusal === undefined || refusal === "notGiven") alerts.set(`forge ${forge}`, null);
          return door.close();
        };
        return { ...door, close };
      },
    }),
    start: rounds.wake,
    close: rounds.close,
  };
};

/** Returns `host/owner`: usually one credential covers all repositories of an owner. */
const forgeOf = ({ location }: Repo): string =>
  /^(?:[a-z+]+:\/\/)?(?:[^@/]*@)?([^/:]+(?::\d+)?[/:][^/]+)/i.exec(location)?.[1]?.replace(/:(?=\D)/, "/") ??
  "a forge";

const rank = (tier: string): number => TIERS.indexOf(tier);
