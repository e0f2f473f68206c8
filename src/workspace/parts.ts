/** The parts of the workspace, put together once. */

import type { ConversationId, Millis } from "../machine/id.ts";
import { letThrough, spread } from "./aside.ts";
import { sweep } from "./checkout/sweep.ts";
import { createTrees, type Trees } from "./checkout/trees.ts";
import { createGround, type Ground, type WorkspaceDeps } from "./ground.ts";
import { createGenerations, type Generations } from "./mirror/generation.ts";
import { createRefresh, type Refresh } from "./mirror/mirror.ts";
import { createPins, type Pins } from "./mirror/pins.ts";
import { createResting, type Resting } from "./parking/rests.ts";
import { createTravels, type Travels } from "./parking/travels.ts";
import { createSetUps, type SetUps } from "./set-up/set-ups.ts";

export interface WorkspaceParts extends Ground {
  readonly refresh: Refresh;
  /** See `createRefresh`. */
  readonly removeUnused: (key: string, since: Millis) => Promise<boolean>;
  readonly generations: Generations;
  readonly pins: Pins;
  readonly trees: Trees;
  readonly setUps: SetUps;
  readonly resting: Resting;
  /** Null where nothing travels between hosts. */
  readonly travels: Travels | null;
  /** The tree that a draft was found to hold, until a command may write there. */
  readonly draftTrees: Map<ConversationId, string>;
  /** Settles when what an earlier process left behind is cleared away; nothing begins before. Tried again if it fails. */
  readonly swept: () => Promise<void>;
}

export const createWorkspaceParts = (deps: WorkspaceDeps): WorkspaceParts => {
  const ground = createGround(deps);
  const { sandbox, directory, layout } = ground;
  const pins = createPins(layout);
  const base = { ...ground, pins, generations: createGenerations(ground) };
  const setUps = createSetUps(base);
  const trees = createTrees({ ...base, setUps });
  const travels = createTravels({ ...base, trees, setUps });
  let sweeping: Promise<void> | null = null;
  const sweepAll = async (): Promise<void> => {
    await sweep(directory, layout, pins, ground.clock.now());
    await letThrough(sandbox, [directory, layout.staging, ...layout.passages]);
    await spread(layout.staging);
  };
  const swept = (): Promise<void> =>
    (sweeping ??= sweepAll().catch((error: unknown) => {
      sweeping = null;
      throw error;
    }));
  return {
    ...base,
    ...createRefresh(base),
    trees,
    setUps,
    resting: createResting({ ...base, trees, travels, swept }),
    travels,
    draftTrees: new Map(),
    swept,
  };
};
