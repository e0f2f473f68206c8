/** Each setup of `plan.ts` runs once in the background, however many conversations want it. */

import type { Millis } from "../../machine/id.ts";
import type { Setup, SetupFailure } from "../../machine/vocabulary.ts";
import type { Clock } from "../../ports/host.ts";
import type { SetupState } from "../../ports/workspaces.ts";
import { createLruCache } from "../../text/lru-cache.ts";
import type { SetupStatus } from "../../thread/post.ts";
import { attemptGit, attemptLogged } from "../run/git-trouble.ts";
import type { CheckoutDeps } from "../checkout/checkout.ts";
import type { Workspace } from "../checkout/record.ts";
import type { SetupLimits } from "../disk/workspace-context.ts";
import { type SetupPlan, readPlan } from "./plan.ts";
import { createLastLine } from "./output-lines.ts";
import { createSetupCache, type PreparedPlace } from "./cache.ts";
import { runSetup, type SetupResult, type WantedSetup } from "./run-setup.ts";

interface Attending {
  readonly workspace: Workspace;
  readonly tell: (setUp: Setup) => void;
  /** Receives the status while the setup runs; null at its end. */
  readonly show: (setUp: SetupStatus | null) => void;
  /** Whether the conversation has a private checkout by now. */
  readonly hasOwn: () => Promise<boolean>;
}

type Running = ReturnType<typeof createShown> & { readonly work: Promise<SetupResult> };

interface Failed {
  readonly failure: SetupFailure;
  readonly at: Millis;
}

/** Pause before a failed setup is tried again. */
const PAUSE: Millis = 10 * 60_000;
/** Setups that run in parallel, over all repositories; further ones wait. */
const AT_ONCE = 2;
const MAX_KEPT = 1_000;

export type Setups = ReturnType<typeof createSetups>;

export const createSetups = (deps: CheckoutDeps) => {
  const { setUp: limits, clock } = deps;
  const shelf = createSetupCache(deps.layout, clock.now);
  const plans = createLruCache<SetupPlan>(MAX_KEPT);
  const running = new Map<string, Running>();
  const failures = createLruCache<Failed>(MAX_KEPT);
  const attended = new Set<string>();
  const line = createLine(AT_ONCE);

  const planOf = async (workspace: Workspace): Promise<SetupPlan> => {
    if (limits === null) return { kind: "none" };
    const name = [workspace.key, workspace.ref, workspace.commit].join("\0");
    const known = plans.get(name);
    if (known !== undefined) return known;
    const what = "setup: script of a repository not read";
    const whom = { repository: workspace.key };
    const read = await attemptLogged(deps.log, what, whom, () => readPlan(deps, workspace));
    if (read.kind !== "done") return { kind: "none" };
    plans.set(name, read.value);
    return read.value;
  };

  const begin = (workspace: Workspace, plan: WantedSetup, bounds: SetupLimits): Running => {
    const { key } = plan;
    const under = running.get(key);
    if (under !== undefined) return under;
    const shown = createShown(clock);
    const work = line(async () => {
      deps.log.info("setup: run started", {
        repository: workspace.key,
        setUp: key,
        commit: workspace.commit,
      });
      shown.begin();
      const worked = await runSetup({ ...deps, shelf, limits: bounds }, workspace, plan, shown.onOutput);
      if (worked.kind === "failed") failures.set(key, { failure: worked.failure, at: clock.now() });
      else failures.forget(key);
      deps.log.info("setup: run ended", { repository: workspace.key, setUp: key, kind: worked.kind });
      return worked;
    }).finally(() => {
      running.delete(key);
      shown.end();
    });
    const begun = { ...shown, work };
    running.set(key, begun);
    return begun;
  };

  const failedLately = (key: string): SetupFailure | null => {
    const { failure = null, at = 0 } = failures.get(key) ?? {};
    const age = clock.now() - at;
    return age >= 0 && age < PAUSE ? failure : null;
  };

  const standing = async (workspace: Workspace): Promise<SetupState | null> => {
    const planned = await planOf(workspace);
    if (planned.kind !== "plan") return planned.kind === "none" ? null : planned;
    const { key } = planned;
    const name = key.slice(0, 8);
    const under = running.get(key);
    if (under !== undefined) return { kind: "running", name, since: under.since() };
    const found = await shelf.find(workspace.key, key);
    if (found !== null) {
      const { commit, at, seconds } = found.made;
      return { kind: "prepared", name, commit, at, seconds };
    }
    const failed = failures.get(key);
    return failed === undefined ? { kind: "missing", name } : { kind: "failed", name, ...failed };
  };

  const keyOf = async (workspace: Workspace): Promise<string | null> => {
    const planned = await planOf(workspace);
    return planned.kind === "plan" ? planned.key : null;
  };

  const attend = async ({ workspace, tell, show, hasOwn }: Attending): Promise<void> => {
    const planned = await planOf(workspace);
    if (limits === null || planned.kind === "none" || attended.has(workspace.id)) return;
    if (attended.size >= MAX_KEPT) attended.clear();
    attended.add(workspace.id);
    if (planned.kind === "unusable") return tell({ kind: "failed", why: planned.why });
    const { key } = planned;
    if (await shelf.use(workspace.key, key)) return;
    const failure = deps.sandbox.probe.restricted ? failedLately(key) : { why: UNCONFINED };
    if (failure !== null) return tell({ kind: "failed", ...failure });
    const begun = begin(workspace, planned, limits);
    tell({ kind: "began" });
    begun.watch(show);
    void begun.work.then(async (worked) =>
      tell(
        worked.kind === "failed"
          ? { kind: "failed", ...worked.failure }
          : { kind: "ready", seconds: worked.seconds, late: await hasOwn() },
      ),
    );
  };

  return {
    keyOf,
    /** Null if there is no setup, or no result yet. */
    find: async (workspace: Workspace): Promise<PreparedPlace | null> => {
      const key = await keyOf(workspace);
      return key === null ? null : shelf.find(workspace.key, key);
    },
    /** Like `find`, and blocks removal while the files are copied. */
    borrow: async (workspace: Workspace): Promise<(PreparedPlace & Disposable) | null> => {
      const key = await keyOf(workspace);
      if (key === null) return null;
      const held = shelf.hold(key);
      const found = await attemptGit(() => shelf.find(workspace.key, key));
      if (found.kind === "done" && found.value !== null) return { ...found.value, ...held };
      held[Symbol.dispose]();
      return null;
    },
    /** Does not call `tell` if the result exists already. Resolves once a start is decided. Never rejects. */
    attend: async (attending: Attending): Promise<void> => {
      const whom = { conversation: attending.workspace.id };
      await attemptLogged(deps.log, "setup: run not started", whom, () => attend(attending));
    },
    standing: async (workspace: Workspace): Promise<SetupState | null> => {
      const looked = await attemptGit(() => standing(workspace));
      return looked.kind === "done" ? looked.value : null;
    },
    /** Null if no setup runs or has failed. */
    hint: async (workspace: Workspace): Promise<string | null> => {
      const key = await keyOf(workspace);
      if (key === null) return null;
      if (running.has(key)) return RUNNING;
      return failures.get(key) === undefined ? null : FAILED;
    },
  };
};

/** Shortest time between two updates, and longest without output, because the displayed duration grows. */
const BRIEF: Millis = 1_000;
const TICK: Millis = 5_000;

const createShown = ({ now, after }: Clock) => {
  const watching = new Set<Attending["show"]>();
  const lastLine = createLastLine();
  let since: Millis | null = null;
  let shownAt = Number.NEGATIVE_INFINITY;
  let written = "";
  let cancel: (() => void) | null = null;
  const status = (began: Millis): SetupStatus => ({
    seconds: Math.max(0, Math.round((now() - began) / 1_000)),
    line: written,
  });
  const showAll = (): void => {
    if (since === null) return;
    shownAt = now();
    const seen = status(since);
    for (const show of watching) show(seen);
  };
  const tick = (): void => {
    showAll();
    cancel = after(TICK, tick);
  };
  return {
    /** Null while the setup waits for others. */
    since: () => since,
    watch: (show: Attending["show"]): void => {
      watching.add(show);
      if (since !== null) show(status(since));
    },
    begin: (): void => {
      since = now();
      tick();
    },
    onOutput: (chunk: Buffer): void => {
      written = lastLine(chunk);
      if (now() - shownAt >= BRIEF) showAll();
    },
    end: (): void => {
      cancel?.();
      since = null;
      for (const show of watching) show(null);
    },
  };
};

const UNCONFINED = "this host's kernel cannot confine it, so it is not run.";
const RUNNING = "[setup: the repository's setup is still running; what it installs is not here yet]";
const FAILED = "[setup: the repository's setup failed; what it installs is not here]";

/** Runs at most `most` tasks at a time; the others wait in order. */
const createLine = (most: number) => {
  const waiting: (() => void)[] = [];
  let busy = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (busy >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else busy += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) busy -= 1;
      else next();
    }
  };
};
