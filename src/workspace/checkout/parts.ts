import type { ConversationId } from "../../machine/id.ts";
import type { Refresh } from "../mirror/mirror.ts";
import type { Pins } from "../mirror/pins.ts";
import type { Hooks } from "../run/shared-work.ts";
import type { CheckoutDeps } from "./checkout.ts";
import type { PolicyInput } from "./policy.ts";
import type { Workspace } from "./record.ts";
import type { Preparations, Trees } from "./trees.ts";

export interface CheckoutParts extends CheckoutDeps {
  readonly refresh: Refresh;
  readonly pins: Pins;
  readonly trees: Trees;
  readonly setUps: CommandPreparations;
  readonly resting: CheckoutAccess;
  /** Null if checkouts are not transferred between hosts. */
  readonly travels: CheckoutTravel | null;
  /** Known tree of each draft, valid until a command may write to the draft. */
  readonly draftTrees: Map<ConversationId, string>;
  /** Resolves when the remains of an earlier process are cleared; nothing starts before that. Retried after a failure. */
  readonly swept: () => Promise<void>;
}

interface CommandPreparations extends Preparations {
  find(workspace: Workspace): Promise<PolicyInput["prepared"]>;
  /** Null if the setup lacks nothing. */
  hint(workspace: Workspace): Promise<string | null>;
}

export interface CheckoutAccess {
  /** Restores a parked checkout first. Throws if restoring fails. */
  awake<T>(id: ConversationId, hooks: Hooks, work: () => Promise<T>): Promise<T>;
  /** Blocks parking during `work`. */
  use<T>(id: ConversationId, work: () => Promise<T>): Promise<T>;
  /** Whether this process restored the checkout: files that git ignores are then missing. */
  wasPutBack(id: ConversationId): boolean;
}

interface CheckoutTravel {
  /** Marks a checkout that may change from now on. */
  touch(id: ConversationId): void;
  remove(id: ConversationId): Promise<void>;
}
