/** The first opening of a conversation: which commit it works on, for good. */

import type { ConversationId } from "../../machine/id.ts";
import { type Base, ownerOf } from "../../ports/conversation.ts";
import { attempt, flat } from "../git-trouble.ts";
import type { Hooks } from "../shared-work.ts";
import type { Layout } from "../layout.ts";
import type { Answer, Generations } from "../mirror/generation.ts";
import type { Mirrors } from "../mirror/mirror.ts";
import type { Pins } from "../mirror/pins.ts";
import type { Source } from "../mirror/source.ts";
import { claimSlot, repositorySlot } from "../slots.ts";
import type { Workspace } from "./record.ts";

interface ArrangeDeps {
  readonly layout: Layout;
  readonly pins: Pins;
  readonly mirrors: Mirrors;
  readonly generations: Generations;
}

/** A workspace that is pinned but not yet recorded. `release` is called when it is, or when nothing came of it. */
interface Arrangement {
  readonly workspace: Workspace;
  readonly release: () => void;
}

export type Arrange = (
  id: ConversationId,
  source: Source,
  /** `base`: the commit and ref that the conversation is already known to have; null at its first opening. */
  what: { readonly base: Pick<Base, "commit" | "ref"> | null; readonly version: string | null },
  hooks: Hooks,
) => Promise<Answer<Arrangement>>;

export const createArrange =
  (deps: ArrangeDeps): Arrange =>
  async (id, source, { base, version }, hooks) => {
    const refreshed = await deps.mirrors.refresh(source, hooks);
    if (refreshed.kind !== "done") return refreshed;
    const { key, generation, tip } = refreshed.value;
    const release = deps.pins.hold(key, generation);
    const pinned = await attempt(async (): Promise<Answer<Workspace>> => {
      const bare = { directory: deps.layout.generation(key, generation), slot: repositorySlot(key) };
      const named = version === null || base !== null ? null : await deps.generations.named(bare, version);
      if (named !== null && named.kind !== "done") return named;
      const chosen = base ?? named?.value ?? tip;
      if (chosen === null) return { kind: "trouble", trouble: { kind: "noBranch" } };
      await deps.pins.add(key, generation, id);
      const slot = await claimSlot(deps.layout.slots, ownerOf(id));
      const kept = await deps.generations.keep(bare, id, chosen.commit);
      if (kept.kind !== "done") return kept;
      const origin = source.kind === "url" ? source.url : null;
      const { commit, ref } = chosen;
      const tagged = "isTag" in chosen && chosen.isTag === true ? { isTag: true } : {};
      return {
        kind: "done",
        value: { version: 1, slot, key, generation, commit, ref, ...tagged, origin, name: source.name },
      };
    });
    const answer = flat(pinned);
    if (answer.kind === "done") return { kind: "done", value: { workspace: answer.value, release } };
    release();
    return answer;
  };
