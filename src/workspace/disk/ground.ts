/** Context of all parts of the workspace: directories, sandbox and limits. */

import { resolve } from "node:path";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { Millis } from "../../machine/id.ts";
import type { GitProxies } from "../../ports/forge.ts";
import type { Clock, Log } from "../../ports/host.ts";
import type { SharedCheckouts } from "../../ports/membership.ts";
import { createLayout, type Layout } from "./layout.ts";

export interface WorkspaceDeps {
  /** PARLEY_DATA; used by this process alone. */
  readonly directory: string;
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly log: Log;
  /** Bytes that one fetch may receive; 10 GiB if absent. */
  readonly maxFetchBytes?: number;
  /** Limit of a conversation's changes in its mirror, in compressed bytes. 64 MiB if absent. */
  readonly maxPackBytes?: number;
  /** Bytes of a checkout that are copied for a conversation that continues another; 1 GiB if absent. */
  readonly maxCarryBytes?: number;
  /**
   * Absolute path of a PEM file with the authorities that https trusts instead of the system's: for a forge with its own
   * authority.
   */
  readonly certificates?: string | null;
  /** Git proxies to repositories that the host has credentials for; absent if there are none. */
  readonly doors?: GitProxies | null;
  /** Limits of a repository's setup script; null disables setups. 15 minutes and 4 GiB if absent. */
  readonly setUp?: SetupLimits | null;
  /** Limits of one parked checkout; 1 GiB and 200,000 entries if absent. */
  readonly rest?: { readonly bytes: number; readonly entries: number };
  /** Limits of a checkout that is copied for a draft (D42); 2 GiB and 200,000 entries if absent. */
  readonly draft?: DraftLimits;
  /** Time limit of a draft's test command; 15 minutes if absent. */
  readonly testTimeout?: Millis;
  /** Author of the commits that are made from a draft. */
  readonly identity?: { readonly name: string; readonly email: string };
  /** Whether the operator's table contains this owner of files; null or absent: CODEOWNERS is not read. */
  readonly ownerKnown?: ((owner: string) => boolean) | null;
  /** Checkouts that several hosts share, and how often a host took over; null: each host keeps its own checkouts. */
  readonly fleet?: SharedCheckouts | null;
  /** Called at steps of parking and restoring, where tests end the process. */
  readonly atRestStep?: (step: RestStep) => Promise<void>;
}

export interface SetupLimits {
  readonly timeout: Millis;
  /** Bytes that a setup may leave, in the checkout and its home together. */
  readonly maxBytes: number;
}

interface DraftLimits {
  /** Size limit of a copy that shares no data with its source. */
  readonly bytes: number;
  readonly entries: number;
  /**
   * From this number of entries on, a shared tree is layered instead of copied: smaller trees copy fast, and a copy behaves
   * like any disk.
   */
  readonly layersFrom?: number;
}

/** Steps at which tests end the process: the next process finds only the files on disk. */
type RestStep = "packed" | "compared" | "committed" | "gone" | "made" | "inPlace";

export type WorkspaceContext = Readonly<Required<WorkspaceDeps>> & { readonly layout: Layout };

export const createGround = (deps: WorkspaceDeps): WorkspaceContext => {
  const directory = resolve(deps.directory);
  return { ...USUAL, ...deps, directory, layout: createLayout(directory) };
};

const USUAL = {
  maxFetchBytes: 10 * 2 ** 30,
  maxPackBytes: 64 * 2 ** 20,
  maxCarryBytes: 2 ** 30,
  certificates: null,
  doors: null,
  setUp: { timeout: 15 * 60_000, maxBytes: 4 * 2 ** 30 },
  rest: { bytes: 2 ** 30, entries: 200_000 },
  draft: { bytes: 2 * 2 ** 30, entries: 200_000 },
  testTimeout: 15 * 60_000,
  identity: { name: "Parley", email: "parley@localhost" },
  ownerKnown: null,
  fleet: null,
  atRestStep: () => Promise.resolve(),
};
