/** What every part of the workspace stands on: where it keeps things, what runs there, and the bounds that it was given. */

import { resolve } from "node:path";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { Millis } from "../../machine/id.ts";
import type { GitProxies } from "../../ports/forge.ts";
import type { Clock, Log } from "../../ports/host.ts";
import type { SharedCheckouts } from "../../ports/membership.ts";
import { createLayout, type Layout } from "./layout.ts";

export interface WorkspaceDeps {
  /** PARLEY_DATA; this process's alone. */
  readonly directory: string;
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly log: Log;
  /** Bytes that one fetch may receive; 10 GiB when left out. */
  readonly maxFetchBytes?: number;
  /** Limit of what a conversation's changes add to its mirror, in compressed bytes. 64 MiB if absent. */
  readonly maxPackBytes?: number;
  /** Bytes of a checkout that are copied for a conversation that goes on from another; 1 GiB when left out. */
  readonly maxCarryBytes?: number;
  /** A PEM file of authorities trusted for https in place of the system's: a forge with its own. Absolute. */
  readonly certificates?: string | null;
  /** To the repositories that the host has credentials for; without it there are none. */
  readonly doors?: GitProxies | null;
  /** Of what `PARLEY_SETUP` of a repository may take; null: it is not run. 15 minutes and 4 GiB when left out. */
  readonly setUp?: SetupLimits | null;
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
  readonly fleet?: SharedCheckouts | null;
  /** Tests end the process at a step of parking and putting back. */
  readonly atRestStep?: (step: RestStep) => Promise<void>;
}

export interface SetupLimits {
  readonly timeout: Millis;
  /** Bytes that it may leave, in the checkout and in its home together. */
  readonly maxBytes: number;
}

interface DraftLimits {
  /** Of a copy that shares nothing. */
  readonly bytes: number;
  readonly entries: number;
  /** Entries of a shared tree from which on none is copied: fewer are copied at once, and behave as on any disk. */
  readonly layersFrom?: number;
}

/** Where tests let the process end: after each, what is on the disk is all that is left. */
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
