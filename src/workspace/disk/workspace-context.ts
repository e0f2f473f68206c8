import { resolve } from "node:path";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { ConversationId, Millis } from "../../machine/id.ts";
import type { GitProxies } from "../../ports/forge.ts";
import type { Clock, Log } from "../../ports/host.ts";
import type { SharedCheckouts } from "../../ports/membership.ts";
import type { Blobs } from "../../ports/store.ts";
import type { TestSurroundings } from "../../ports/test-surroundings.ts";
import type { AttachedFile } from "../../thread/prompt.ts";
import { createLayout, type Layout } from "./layout.ts";

export interface WorkspaceDeps {
  /** PARLEY_DATA; used by this process alone. */
  readonly directory: string;
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly log: Log;
  readonly maxFetchBytes?: number;
  /** Limit of a conversation's changes, in compressed bytes. */
  readonly maxPackBytes?: number;
  /** Limit for copying a checkout to a conversation that continues another one. */
  readonly maxCarryBytes?: number;
  /** PEM file of the authorities that https trusts instead of the system's, for a forge with a private authority. */
  readonly certificates?: string | null;
  /** Proxies to repositories that the host has credentials for. */
  readonly doors?: GitProxies | null;
  /** Null disables setups. */
  readonly setUp?: SetupLimits | null;
  /** Limits of one parked checkout. */
  readonly rest?: { readonly bytes: number; readonly entries: number };
  readonly draft?: DraftLimits;
  readonly testTimeout?: Millis;
  /** Null if the tests of drafts get no variables and no services. */
  readonly tests?: TestSurroundings | null;
  /** Author of the commits that are made from a draft. */
  readonly identity?: { readonly name: string; readonly email: string };
  /** Whether the operator's table contains this owner. If null, CODEOWNERS is not read. */
  readonly ownerKnown?: ((owner: string) => boolean) | null;
  /** Null if each host keeps its own checkouts. */
  readonly fleet?: SharedCheckouts | null;
  readonly attached?: FilesOfMessages;
  readonly atRestStep?: (step: RestStep) => Promise<void>;
}

export interface SetupLimits {
  readonly timeout: Millis;
  /** Bytes that a setup may leave, in the checkout and its home together. */
  readonly maxBytes: number;
}

/** `of`: files that messages of the conversation name. */
export interface FilesOfMessages {
  of(id: ConversationId): readonly AttachedFile[];
  get: Blobs["get"];
}

interface DraftLimits {
  /** Limit for a copy that shares no data with its source. */
  readonly bytes: number;
  readonly entries: number;
  /** Number of entries from which a shared tree is layered: smaller trees copy fast, and a copy behaves like any disk. */
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
  tests: null,
  identity: { name: "Parley", email: "parley@localhost" },
  ownerKnown: null,
  fleet: null,
  attached: { of: () => [], get: () => Promise.resolve(null) },
  atRestStep: () => Promise.resolve(),
};
