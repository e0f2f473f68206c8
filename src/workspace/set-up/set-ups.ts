/**
 * Set-ups of repositories (9, item 5). One is run for each name of `plan.ts`, once however many conversations want it,
 * behind their backs: a conversation goes on meanwhile, is told when it began and what came of it, and has what it left
 * from then on. What failed is not tried again for a while.
 */

import type { ConversationId, Millis } from "../../core/id.ts";
import type { SetUp } from "../../core/words.ts";
import type { Log } from "../../runtime/ports.ts";
import { attempt, flat } from "../attempt.ts";
import type { Answer, Generations } from "../generation.ts";
import type { Workspace } from "../record.ts";
import { repositorySlot } from "../slots.ts";
import { type Planned, readPlan } from "./plan.ts";
import type { Prepared } from "./shelf.ts";
import { runSetUp, type SetUpLimits, type WorkDeps, type Worked } from "./work.ts";

export interface SetUps {
  /** Name of the set-up that the commit asks for; null where it asks for none. */
  keyOf(workspace: Workspace): Promise<string | null>;
  /** What the set-up of that commit left; null where there is none, or none yet. */
  find(workspace: Workspace): Promise<Prepared | null>;
  /** The same while it is copied; `release` afterwards. */
  borrow(workspace: Workspace): Promise<{ readonly prepared: Prepared; readonly release: () => void } | null>;
  /**
   * Begins it where it is wanted and not there. `tell` hears of it unless it is there; settles once it is known whether
   * it has begun, and never rejects.
   */
  attend(conversation: Attending): Promise<void>;
  /** What a command that failed is told beside its output; null where nothing stands in its way. */
  hint(workspace: Workspace): Promise<string | null>;
}

export interface Attending {
  readonly id: ConversationId;
  readonly workspace: Workspace;
  readonly tell: (setUp: SetUp) => void;
  /** Whether the conversation has a checkout of its own by now. */
  readonly hasOwn: () => Promise<boolean>;
}

export interface SetUpDeps extends Omit<WorkDeps, "limits" | "log"> {
  /** Null: no repository's set-up is run. */
  readonly limits: SetUpLimits | null;
  readonly generations: Pick<Generations, "entries" | "blob">;
  readonly log: Log;
}

/** How long a set-up that failed is not tried again. */
const PAUSE: Millis = 10 * 60_000;
/** Of all repositories at a time; others wait. */
const AT_ONCE = 2;
/** Commits, failures and conversations that are remembered. */
const MAX_KEPT = 1_000;

export const createSetUps = (deps: SetUpDeps): SetUps => {
  const plans = new Map<string, Planned>();
  const running = new Map<string, Promise<Worked>>();
  const failures = new Map<string, { readonly at: Millis; readonly why: string }>();
  const attended = new Set<string>();
  const line = createLine(AT_ONCE);

  const { limits } = deps;

  const planOf = async (workspace: Workspace): Promise<Planned> => {
    if (limits === null) return { kind: "none" };
    const name = [workspace.key, workspace.ref, workspace.commit].join("\0");
    const known = plans.get(name);
    if (known !== undefined) return known;
    const read = flat(await attempt(() => lookUp(deps, workspace)));
    if (read.kind !== "done") {
      deps.log.warn("whether a repository has a set-up could not be read", { repository: workspace.key });
      return { kind: "none" };
    }
    if (plans.size >= MAX_KEPT) plans.clear();
    plans.set(name, read.value);
    return read.value;
  };

  const begin = (workspace: Workspace, key: string, bounds: SetUpLimits): Promise<Worked> => {
    const under = running.get(key);
    if (under !== undefined) return under;
    const work = line(async () => {
      deps.log.info("a set-up begins", { repository: workspace.key, setUp: key, commit: workspace.commit });
      const worked = await runSetUp({ ...deps, limits: bounds }, workspace, key);
      if (failures.size >= MAX_KEPT) failures.clear();
      if (worked.kind === "failed") failures.set(key, { at: deps.now(), why: worked.why });
      else failures.delete(key);
      deps.log.info("a set-up has ended", { repository: workspace.key, setUp: key, kind: worked.kind });
      return worked;
    }).finally(() => running.delete(key));
    running.set(key, work);
    return work;
  };

  const failedLately = (key: string): string | null => {
    const failure = failures.get(key);
    const age = failure === undefined ? PAUSE : deps.now() - failure.at;
    return failure !== undefined && age >= 0 && age < PAUSE ? failure.why : null;
  };

  const find = async (workspace: Workspace): Promise<Prepared | null> => {
    const planned = await planOf(workspace);
    return planned.kind === "plan" ? deps.shelf.find(workspace.key, planned.plan.key) : null;
  };

  const attend = async ({ id, workspace, tell, hasOwn }: Attending): Promise<void> => {
    const planned = await planOf(workspace);
    if (limits === null || planned.kind === "none" || attended.has(id)) return;
    if (attended.size >= MAX_KEPT) attended.clear();
    attended.add(id);
    if (planned.kind === "unusable") return tell({ kind: "failed", why: planned.why });
    const { key } = planned.plan;
    if ((await deps.shelf.use(workspace.key, key)) !== null) return;
    const why = deps.sandbox.probe.restricted ? failedLately(key) : UNCONFINED;
    if (why !== null) return tell({ kind: "failed", why });
    const work = begin(workspace, key, limits);
    tell({ kind: "began" });
    void report(work, tell, hasOwn);
  };

  return {
    keyOf: async (workspace) => {
      const planned = await planOf(workspace);
      return planned.kind === "plan" ? planned.plan.key : null;
    },
    find,
    borrow: async (workspace) => {
      const planned = await planOf(workspace);
      if (planned.kind !== "plan") return null;
      const release = deps.shelf.hold(planned.plan.key);
      const found = await attempt(() => deps.shelf.find(workspace.key, planned.plan.key));
      if (found.kind === "done" && found.value !== null) return { prepared: found.value, release };
      release();
      return null;
    },
    attend: async (attending) => {
      const tried = await attempt(() => attend(attending));
      if (tried.kind === "trouble")
        deps.log.warn("a set-up was not begun", { conversation: attending.id, trouble: tried.trouble.kind });
    },
    hint: async (workspace) => {
      const planned = await planOf(workspace);
      if (planned.kind !== "plan") return null;
      if (running.has(planned.plan.key)) return RUNNING;
      return failures.has(planned.plan.key) ? FAILED : null;
    },
  };
};

const report = async (
  work: Promise<Worked>,
  tell: Attending["tell"],
  hasOwn: Attending["hasOwn"],
): Promise<void> => {
  const worked = await work;
  tell(worked.kind === "failed" ? worked : { kind: "ready", seconds: worked.seconds, late: await hasOwn() });
};

const UNCONFINED = "this host's kernel cannot confine it, so it is not run.";
const RUNNING = "[set-up: the repository's PARLEY_SETUP is still running; what it installs is not here yet]";
const FAILED = "[set-up: the repository's PARLEY_SETUP failed; what it installs is not here]";

const lookUp = (
  { generations, layout, sandbox }: SetUpDeps,
  workspace: Workspace,
): Promise<Answer<Planned>> => {
  const { key, generation, commit, ref, isTag = false } = workspace;
  const bare = { directory: layout.generation(key, generation), slot: repositorySlot(key) };
  const setting = {
    repository: key,
    ref: isTag ? `refs/tags/${ref}` : `refs/heads/${ref}`,
    mounts: sandbox.probe.mounts,
  };
  return readPlan(generations, bare, commit, setting);
};

/** Lets so many pieces of work run at a time; the others wait in the order in which they came. */
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
