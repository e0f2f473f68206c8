/** Everything that uses a conversation's directory goes through `awake`. */

import { type ConversationId, DAY, type Millis } from "../../machine/id.ts";
import type { ParkResult, CheckoutParking } from "../../ports/workspaces.ts";
import { discardTree } from "../disk/staging.ts";
import {
  attemptGit,
  attemptLogged,
  BrokenOff,
  type GitTrouble,
  InTheWay,
  sentence,
} from "../run/git-trouble.ts";
import type { CheckoutAccess } from "../checkout/parts.ts";
import { readRecord } from "../checkout/record.ts";
import type { Trees } from "../checkout/trees.ts";
import { createSharedWork, type Hooks } from "../run/shared-work.ts";
import type { WorkspaceContext } from "../disk/workspace-context.ts";
import { isPlainId } from "../disk/layout.ts";
import { namesIn } from "../mirror/pins.ts";
import { isThere } from "../disk/durable.ts";
import { archiveOf } from "./archive.ts";
import { createCheckoutLock, type Gate, isBackedUp } from "./checkout-lock.ts";
import { park } from "./park.ts";
import { restoreCheckout } from "./restore-checkout.ts";
import type { Travels } from "./checkout-transfer.ts";

export interface ParkingParts extends CheckoutParking, CheckoutAccess {
  /** Stores the checkout's differences from its commit for other hosts, unless nothing can have changed. */
  keep(id: ConversationId, signal: AbortSignal): Promise<void>;
}

interface RestingDeps extends WorkspaceContext {
  readonly trees: Trees;
  readonly travels: Travels | null;
  readonly swept: () => Promise<void>;
}

/** Conversations kept in memory: restored ones, for notes to their commands, and unfit ones, until the next try. */
const MAX_KEPT = 1_000;

export const createParking = (deps: RestingDeps): ParkingParts => {
  const { directory, clock, layout, log, sandbox, swept, travels } = deps;
  const gate = createCheckoutLock();
  const flights = createSharedWork<void>();
  const parked = new Set<ConversationId>();
  const returned = new Set<ConversationId>();
  const unfit = new Map<ConversationId, Millis>();

  const wasUnfit = (id: ConversationId): boolean =>
    Math.abs(clock.now() - (unfit.get(id) ?? Number.NEGATIVE_INFINITY)) < DAY;

  const wake = async (id: ConversationId, hooks: Hooks): Promise<void> => {
    const workspace = await readRecord(layout, id);
    if (workspace === null || !(await isAway(id))) return;
    await flights.join(id, hooks, async (shared) => {
      const what = "parking: checkout not restored";
      const done = await attemptLogged(log, what, { conversation: id }, async () => {
        await travels?.bring(id);
        // Another caller may have restored the checkout since the check above.
        if (await isParked(id)) await restoreCheckout(deps, workspace, shared);
        await travels?.putDraftBack(workspace, shared.signal);
        await travels?.settle(id);
      });
      if (done.kind === "aborted") throw new BrokenOff();
      if (done.kind === "trouble") throw new InTheWay(done.trouble);
      parked.delete(id);
      if (returned.size >= MAX_KEPT) returned.clear();
      returned.add(id);
      log.info("parking: checkout restored", { conversation: id });
    });
  };

  const isAway = async (id: ConversationId): Promise<boolean> =>
    (await travels?.isElsewhere(id)) === true || isParked(id);

  const isParked = async (id: ConversationId): Promise<boolean> =>
    (await deps.trees.existing(id)) === null && isThere(archiveOf(layout, id));

  /** Removes an archive next to a checkout, unless a running backup might lack the checkout. */
  const tidy = async (id: ConversationId): Promise<boolean> => {
    const archive = archiveOf(layout, id);
    if (!(await isThere(archive))) return true;
    if (await isParked(id)) parked.add(id);
    else if (!(await isBackedUp(directory))) {
      await discardTree(layout, archive, "rested");
      return true;
    }
    return false;
  };

  const rest = async (id: ConversationId, since: Millis, signal: AbortSignal): Promise<ParkResult> => {
    if ((await isBackedUp(directory)) || !(await tidy(id))) return LEFT;
    const work = await deps.trees.existing(id);
    const workspace = await readRecord(layout, id);
    if (work === null || workspace === null || wasUnfit(id)) return LEFT;
    const done = await attemptGit(() => park(deps, workspace, { work, since }, signal));
    if (done.kind === "aborted" || signal.aborted) return LEFT;
    const rested = done.kind === "done" ? done.value : unfitFor(done.trouble);
    if (rested.kind === "parked") parked.add(id);
    else {
      if (unfit.size >= MAX_KEPT) unfit.clear();
      unfit.set(id, clock.now());
    }
    return rested;
  };

  /** Only the sandbox may read an agent's checkout: without a sandbox, checkouts are not parked. */
  const canRest = async (): Promise<boolean> =>
    sandbox.probe.restricted && (await attemptGit(swept)).kind === "done";

  const all = async (): Promise<readonly ConversationId[]> => {
    const names = (await canRest()) ? await attemptGit(() => namesIn(layout.threads)) : null;
    return names?.kind === "done" ? names.value.filter(isPlainId) : [];
  };

  const use: Gate["use"] = async (id, work) => {
    await swept();
    return gate.use(id, work);
  };

  return {
    awake: (id, hooks, work) =>
      use(id, async () => {
        await wake(id, hooks);
        return work();
      }),
    use,
    candidates: async () => {
      const found: ConversationId[] = [];
      for (const id of await all()) {
        const isFree = await gate.alone(id, () => attemptGit(() => tidy(id)));
        const stands = (await deps.trees.existing(id)) !== null;
        if (isFree?.kind === "done" && isFree.value && stands) found.push(id);
      }
      return found;
    },
    park: async (id, since, ending) => {
      if (!isPlainId(id) || !(await canRest())) return LEFT;
      const done = await gate.alone(id, (signal) =>
        attemptGit(() => rest(id, since, AbortSignal.any([signal, ending]))),
      );
      if (done === null || done.kind === "aborted") return LEFT;
      return done.kind === "done" ? done.value : unfitFor(done.trouble);
    },
    parked: () => parked.size,
    keep: async (id, signal) => {
      if (travels !== null) await use(id, () => travels.keep(id, signal));
    },
    given: (id) => travels?.doubt(id),
    adopt: async (signal) => {
      for (const id of await all()) {
        if (signal.aborted) return;
        await gate.use(id, () => attemptGit(async () => travels?.adopt(id, signal)));
      }
    },
    wasPutBack: (id) => returned.has(id),
  };
};

const LEFT: ParkResult = { kind: "left" };

const unfitFor = (trouble: GitTrouble): ParkResult => ({
  kind: "unfit",
  why: sentence(trouble, "the repository").replace(/\.$/, ""),
});
