/** Parts of the workspace that work on conversations' checkouts and drafts uses. */

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
  /** Null where nothing travels between hosts. */
  readonly travels: CheckoutTravel | null;
  /** The tree that a draft was found to hold, until a command may write there. */
  readonly draftTrees: Map<ConversationId, string>;
  /** Settles when what an earlier process left behind is cleared away; nothing begins before. Tried again if it fails. */
  readonly swept: () => Promise<void>;
}

interface CommandPreparations extends Preparations {
  /** Files that the set-up of that commit left; null if there are none yet. */
  find(workspace: Workspace): Promise<PolicyInput["prepared"]>;
  /** Note beside the output of a failed command; null if nothing of the set-up is missing. */
  hint(workspace: Workspace): Promise<string | null>;
}

/** The way to a checkout that may be parked. */
export interface CheckoutAccess {
  /** Does `work` with the conversation's checkout as it was left. Throws what is in the way. */
  awake<T>(id: ConversationId, hooks: Hooks, work: () => Promise<T>): Promise<T>;
  /** Does `work` while nothing parks it. */
  use<T>(id: ConversationId, work: () => Promise<T>): Promise<T>;
  /** Whether it was put back by this process: what git ignores is missing then. */
  wasPutBack(id: ConversationId): boolean;
}

interface CheckoutTravel {
  /** Something may change the checkout from now on. */
  touch(id: ConversationId): void;
  remove(id: ConversationId): Promise<void>;
}
