/** The first opening of a conversation: which commit it works on, for good. */

import type { ConversationId } from "../../machine/id.ts";
import { type Base, ownerOf } from "../../ports/conversation.ts";
import { InTheWay } from "../git-trouble.ts";
import type { Hooks } from "../shared-work.ts";
import type { Layout } from "../layout.ts";
import { bareOf, type Generations } from "../mirror/generation.ts";
import type { Refresh } from "../mirror/mirror.ts";
import type { Pins } from "../mirror/pins.ts";
import type { Source } from "../mirror/source.ts";
import { claimSlot } from "../slots.ts";
import type { Workspace } from "./record.ts";

interface ArrangeDeps {
  readonly layout: Layout;
  readonly pins: Pins;
  readonly refresh: Refresh;
  readonly generations: Generations;
}

/** A workspace that is pinned but not yet recorded: held until it is, or until nothing came of it. */
interface Arrangement extends Disposable {
  readonly workspace: Workspace;
}

export type Arrange = (
  id: ConversationId,
  source: Source,
  /** `base`: the commit and ref that the conversation is already known to have; null at its first opening. */
  what: { readonly base: Pick<Base, "commit" | "ref"> | null; readonly version: string | null },
  hooks: Hooks,
) => Promise<Arrangement>;

export const createArrange =
  (deps: ArrangeDeps): Arrange =>
  async (id, source, { base, version }, hooks) => {
    const { key, generation, tip } = await deps.refresh(source, hooks);
    using stack = new DisposableStack();
    stack.use(deps.pins.hold(key, generation));
    const bare = bareOf(deps.layout, { key, generation });
    const named = version === null || base !== null ? null : await deps.generations.named(bare, version);
    const chosen = base ?? named ?? tip;
    if (chosen === null) throw new InTheWay({ kind: "noBranch" });
    await deps.pins.add(key, generation, id);
    const slot = await claimSlot(deps.layout.slots, ownerOf(id));
    await deps.generations.keep(bare, id, chosen.commit);
    const origin = source.kind === "url" ? source.url : null;
    const { commit, ref } = chosen;
    const tagged = "isTag" in chosen && chosen.isTag === true ? { isTag: true } : {};
    const { name } = source;
    const workspace = { version: 1, slot, key, generation, commit, ref, ...tagged, origin, name } as const;
    const held = stack.move();
    return { workspace, [Symbol.dispose]: () => held.dispose() };
  };
