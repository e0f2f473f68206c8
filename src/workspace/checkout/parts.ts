/** Parts of the workspace that the code for checkouts and drafts uses. */

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
  /** Resolves when the remains of an earlier process are cleared; nothing starts before that. Retried if it fails. */
  readonly swept: () => Promise<void>;
}

interface CommandPreparations extends Preparations {
  /** Files that the setup of that commit produced; null if there are none yet. */
  find(workspace: Workspace): Promise<PolicyInput["prepared"]>;
  /** Note next to the output of a failed command; null if the setup lacks nothing. */
  hint(workspace: Workspace): Promise<string | null>;
}

/** Access to a checkout that may be parked. */
export interface CheckoutAccess {
  /** Runs `work` with the conversation's checkout, restored if it was parked. Throws if restoring fails. */
  awake<T>(id: ConversationId, hooks: Hooks, work: () => Promise<T>): Promise<T>;
  /** Runs `work` while parking is blocked. */
  use<T>(id: ConversationId, work: () => Promise<T>): Promise<T>;
  /** Whether this process restored the checkout: files that git ignores are then missing. */
  wasPutBack(id: ConversationId): boolean;
}

interface CheckoutTravel {
  /** Marks a checkout that may change from now on. */
  touch(id: ConversationId): void;
  remove(id: ConversationId): Promise<void>;
}
