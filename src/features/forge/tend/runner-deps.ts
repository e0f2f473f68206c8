import type { HostMessage } from "../../../ports/alerts.ts";
import type { Bot } from "../../../ports/bot.ts";
import type { Drafts } from "../../../ports/drafts.ts";
import type { Ambient } from "../../../ports/host.ts";
import type { MicroUsd } from "../../../ports/money.ts";
import type { Store } from "../../../ports/store.ts";
import type { Say } from "../../../i18n/say.ts";
import type { WritableForges } from "../ports/forge-writer.ts";
import type { TendedPull } from "./bounds.ts";
import type { ForgeRight } from "./forge-right.ts";
import type { TendRows } from "./rows.ts";

export interface RunnerDeps extends Ambient {
  readonly rows: TendRows;
  readonly forges: WritableForges;
  readonly bot: Pick<Bot, "read" | "say" | "act">;
  readonly words: Store["words"];
  readonly drafts: Pick<Drafts, "tree">;
  /** Reads the right of the person who clicked again; null if the platform does not answer now. */
  readonly mayApprove: (pull: TendedPull) => Promise<boolean | null>;
  /** Reads the right of that person on the forge again. */
  readonly forgeRight: (pull: TendedPull, signal: AbortSignal) => Promise<ForgeRight>;
  readonly spent: (pull: TendedPull) => MicroUsd;
  /** Limits today's requests of the speaker to the rest of the amount. */
  readonly limit: (pull: TendedPull) => Promise<unknown>;
  readonly sayIn: (pull: Pick<TendedPull, "surface" | "place">) => Say;
  /** Posts in the thread, once for each `key`. Returns false if the post has to be tried again. */
  readonly tell: (pull: TendedPull, key: string, line: Omit<HostMessage, "id" | "root">) => Promise<boolean>;
}
