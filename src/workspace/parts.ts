/** The parts of the workspace, put together once. */

import { resolve } from "node:path";
import type { Sandbox } from "../../sandbox/types.ts";
import type { Millis } from "../machine/id.ts";
import type { Doors } from "../ports/forge.ts";
import type { Clock, Log } from "../ports/host.ts";
import type { Objects } from "../ports/store.ts";
import { createCheckoutMaker } from "./checkout/checkout.ts";
import { letThrough, spread } from "./aside.ts";
import { sweep } from "./checkout/sweep.ts";
import { createTrees, type Trees } from "./checkout/trees.ts";
import { createLayout, type Layout } from "./layout.ts";
import { createGenerations, type Generations } from "./mirror/generation.ts";
import { createRefresh, type Refresh } from "./mirror/mirror.ts";
import { createPins, type Pins } from "./mirror/pins.ts";
import type { DraftLimits } from "./drafts/record.ts";
import { isBackedUp } from "./rest/gate.ts";
import type { Step } from "./rest/park.ts";
import { createResting, type Resting } from "./rest/rests.ts";
import { createTravels, type Travels } from "./rest/travels.ts";
import { createSetUps, type SetUps } from "./set-up/set-ups.ts";
import { createSetUpCache } from "./set-up/cache.ts";
import type { SetUpLimits } from "./set-up/work.ts";

export interface WorkspaceDeps {
  /** PARLEY_DATA; this process's alone. */
  readonly directory: string;
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly log: Log;
  /** Bytes that one fetch may receive; 10 GiB when left out. */
  readonly maxFetchBytes?: number;
  /** Bytes of a checkout that are copied for a conversation that goes on from another; 1 GiB when left out. */
  readonly maxCarryBytes?: number;
  /** A PEM file of authorities trusted for https in place of the system's: a forge with its own. Absolute. */
  readonly certificates?: string;
  /** To the repositories that the host has credentials for; without it there are none. */
  readonly doors?: Doors;
  /** Of what `PARLEY_SETUP` of a repository may take; null: it is not run. 15 minutes and 4 GiB when left out. */
  readonly setUp?: SetUpLimits | null;
  /** Bytes and entries that are kept of one checkout that rests; 1 GiB and 200,000 when left out. */
  readonly rest?: { readonly bytes: number; readonly entries: number };
  /** Of a checkout that is drafted (D42); 2 GiB and 200,000 when left out. */
  readonly draft?: DraftLimits;
  /** That a draft's test command may take; 15 minutes when left out. */
  readonly testTimeout?: Millis;
  /** Author of what is made of a draft. */
  readonly identity?: { readonly name: string; readonly email: string };
  /** Owners of files count, and whether the operator's table knows this one; null or left out: CODEOWNERS is not read. */
  readonly ownerKnown?: ((owner: string) => boolean) | null;
  /** One of several hosts: how often one of them took over, and what they share; null: each keeps its own checkouts. */
  readonly fleet?: { readonly epoch: number; readonly shared: Objects | null };
  /** Tests end the process at a step of parking and putting back. */
  readonly atRestStep?: (step: Step) => Promise<void>;
}

const MAX_FETCH = 10 * 2 ** 30;
const REST = { bytes: 2 ** 30, entries: 200_000 };
const SET_UP: SetUpLimits = { timeout: 15 * 60_000, maxBytes: 4 * 2 ** 30 };

export interface WorkspaceParts {
  readonly sandbox: Sandbox;
  readonly layout: Layout;
  readonly refresh: Refresh;
  readonly generations: Generations;
  readonly pins: Pins;
  readonly trees: Trees;
  readonly setUps: SetUps;
  readonly resting: Resting;
  /** Null where nothing travels between hosts. */
  readonly travels: Travels | null;
  readonly ownerKnown: ((owner: string) => boolean) | null;
  /** Settles when what an earlier process left behind is cleared away; nothing begins before. Tried again if it fails. */
  readonly swept: () => Promise<void>;
}

export const createWorkspaceParts = (deps: WorkspaceDeps): WorkspaceParts => {
  const { sandbox, clock, log } = deps;
  const directory = resolve(deps.directory);
  const layout = createLayout(directory);
  const pins = createPins(layout);
  const generations = createGenerations({ sandbox, clock, log, maxBytes: deps.maxFetchBytes ?? MAX_FETCH });
  const base = { sandbox, clock, log, layout, pins, generations };
  const { certificates = null, doors = null, fleet, ownerKnown = null } = deps;
  const refresh = createRefresh({ ...base, certificates, doors });
  const now = (): number => clock.now();
  const setUps = createSetUps({
    ...base,
    makeCheckout: createCheckoutMaker(base),
    shelf: createSetUpCache(layout, now),
    now,
    after: clock.after,
    limits: deps.setUp === undefined ? SET_UP : deps.setUp,
  });
  const made = createTrees({ ...base, setUps });
  const limits = deps.rest ?? REST;
  const shared = fleet?.shared ?? null;
  const travels =
    fleet === undefined || shared === null
      ? null
      : createTravels({ ...base, limits, now, shared, epoch: fleet.epoch, trees: made, setUps });
  const trees: Trees = {
    ...made,
    own: (id, ...given) => {
      travels?.touch(id);
      return made.own(id, ...given);
    },
  };
  const resting = createResting({
    ...base,
    trees,
    travels,
    now,
    limits,
    isBackedUp: () => isBackedUp(directory),
    atStep: deps.atRestStep ?? (() => Promise.resolve()),
  });
  let sweeping: Promise<void> | null = null;
  const sweepAll = async (): Promise<void> => {
    await sweep(directory, layout, pins);
    await letThrough(sandbox, [directory, layout.staging, ...layout.passages]);
    await spread(layout.staging);
  };
  return {
    sandbox,
    layout,
    refresh,
    generations,
    pins,
    trees,
    setUps,
    resting,
    travels,
    ownerKnown,
    swept: () =>
      (sweeping ??= sweepAll().catch((error: unknown) => {
        sweeping = null;
        throw error;
      })),
  };
};
