import type { PersonId } from "../../machine/id.ts";
import type { Bot, CreateResult } from "../../ports/bot.ts";
import type { ChatStore } from "../../ports/chat-rows.ts";
import type { RepositoryBinding, Place } from "../../ports/conversation.ts";
import type { ChatDeps } from "./people/deps.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

interface BeginInDeps extends Pick<ChatDeps, "name" | "models" | "modes"> {
  readonly bot: Pick<Bot, "create" | "act">;
  readonly store: Pick<ChatStore, "instructions" | "channel" | "isFirstIn">;
}

interface Begins {
  readonly thread: Place;
  readonly direct: boolean;
  readonly repo: RepositoryBinding;
  readonly title: string;
  readonly by: PersonId;
  /** Null for the channel's mode. */
  readonly mode: { readonly key: string; readonly reason: string } | null;
}

export const beginIn = async (
  { name, bot, store, models, modes }: BeginInDeps,
  { thread, direct, repo, title, by, mode }: Begins,
): Promise<CreateResult> => {
  const { place } = thread;
  const instructions = store.instructions(name, place);
  const own = store.channel(name, place);
  const model = own?.model != null && models.knows(own.model) ? own.model : undefined;
  const created = await bot.create({
    ...omitUndefined({ instructions: instructions ?? undefined, model }),
    introduces: !direct && store.isFirstIn(name, place),
    surface: name,
    repo,
    title,
    by,
    thread,
  });
  if (created.kind === "failed") return created;
  const { conversation, state } = created.overview;
  const usual = { key: own?.mode, reason: "The channel begins in this mode.", by: own?.by ?? by };
  const { key: wanted, ...asked } = mode === null ? usual : { ...mode, by };
  // A removed mode is ignored, and the default mode needs no change.
  if (wanted != null && wanted !== state.mode && modes.some(({ key }) => key === wanted))
    await bot.act(conversation.id, { kind: "mode", mode: wanted, ...asked });
  return created;
};
