/** The right of the approver on the forge. An approver who was connected at the click must still be able to push at each push. */

import type { Repo } from "../../../ports/conversation.ts";
import type { WritableForges } from "../ports/forge-writer.ts";
import type { WritesInName } from "../people/in-name.ts";
import type { TendedPull } from "./bounds.ts";
import { tendProject } from "./forge-facts.ts";

export type ForgeRight =
  | { readonly kind: "held" }
  | { readonly kind: "lost"; readonly why: "access" | "connection" }
  | { readonly kind: "unread" };

interface RightDeps {
  readonly forges: WritableForges;
  readonly names: Pick<WritesInName, "standing">;
  /** Null if the conversation is gone. */
  readonly repoOf: (pull: TendedPull) => Promise<Repo | null>;
}

export const createReadForgeRight =
  ({ forges, names, repoOf }: RightDeps) =>
  async (pull: TendedPull, signal: AbortSignal): Promise<ForgeRight> => {
    if (pull.account === null) return { kind: "held" };
    const repo = await repoOf(pull);
    const place = repo === null ? null : tendProject(forges, repo);
    if (place === null) return { kind: "unread" };
    const standing = await names.standing(place.project, pull.by, signal);
    switch (standing.kind) {
      case "able":
        return { kind: "held" };
      case "lacks":
        return { kind: "lost", why: "access" };
      case "none":
        return { kind: "lost", why: "connection" };
      case "unread":
        return { kind: "unread" };
    }
  };
