import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Millis } from "../machine/id.ts";
import { makeTraversable, removeTree, spreadOnDisk } from "./disk/staging.ts";
import type { CheckoutParts } from "./checkout/parts.ts";
import { createTrees } from "./checkout/trees.ts";
import { createGround, type WorkspaceDeps } from "./disk/workspace-context.ts";
import { createGenerations } from "./mirror/generation.ts";
import { createRefresh } from "./mirror/mirror.ts";
import { createPins, generationsOf, namesIn, type Pins, UNUSED } from "./mirror/pins.ts";
import { createParking, type ParkingParts } from "./parking/parking.ts";
import { createCheckoutTransfer, type Travels } from "./parking/checkout-transfer.ts";
import { createSetups, type Setups } from "./setup/setups.ts";
import { attemptGit } from "./run/git-trouble.ts";
import { isPlainId, type Layout } from "./disk/layout.ts";
import { undoSwaps } from "./drafts/swap.ts";
import { commitOf, readRecord } from "./checkout/record.ts";
import { removeHalf } from "./setup/cache.ts";

export interface WorkspaceParts extends CheckoutParts {
  readonly removeUnused: (key: string, since: Millis) => Promise<boolean>;
  readonly setUps: Setups;
  readonly resting: ParkingParts;
  readonly travels: Travels | null;
}

export const createWorkspaceParts = (deps: WorkspaceDeps): WorkspaceParts => {
  const ground = createGround(deps);
  const { sandbox, directory, layout } = ground;
  const pins = createPins(layout);
  const base = { ...ground, pins, generations: createGenerations(ground) };
  const setUps = createSetups(base);
  const trees = createTrees({ ...base, setUps });
  const travels = createCheckoutTransfer({ ...base, trees, setUps });
  let sweeping: Promise<void> | null = null;
  const sweepAll = async (): Promise<void> => {
    await sweepWorkspace(directory, layout, pins, ground.clock.now());
    await makeTraversable(sandbox, [directory, layout.staging, ...layout.passages]);
    await spreadOnDisk(layout.staging);
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
    resting: createParking({ ...base, trees, travels, swept }),
    travels,
    draftTrees: new Map(),
    swept,
  };
};

/** Clears the remains of a process that died; runs alone, before anything else starts. */
export const sweepWorkspace = async (
  data: string,
  layout: Layout,
  pins: Pins,
  now: Millis,
): Promise<void> => {
  await undoSwaps(layout);
  await removeTree(layout.staging);
  await removeHalf(layout);
  for (const id of await namesIn(layout.threads)) if (isPlainId(id)) await removeTree(layout.files(id));
  for (const key of await namesIn(join(data, "repos"))) {
    const generations = await generationsOf(layout, key);
    const newest = generations.at(-1);
    if (newest === undefined) continue;
    for (const generation of generations) await dropStalePins(layout, key, generation);
    await pins.removeOlder(key, newest);
    await pins.removeTrees(key, newest, (id) => commitOf(layout, id), removeTree);
    await pins.removeUnused(key, now - UNUSED);
  }
};

const dropStalePins = async (layout: Layout, key: string, generation: number): Promise<void> => {
  const directory = layout.pins(key, generation);
  for (const id of await namesIn(directory)) {
    const read = await attemptGit(() => readRecord(layout, id));
    /* A conversation with an unreadable record may still need its pin: in doubt, nothing is deleted. */
    if (read.kind !== "done") continue;
    if (read.value?.key === key && read.value.generation === generation) continue;
    await rm(join(directory, id), { force: true });
  }
};
