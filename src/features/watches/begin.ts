/**
 * Starts the thread of an event: first the message, then the conversation, then the model's message. Each step finds the result
 * of an earlier try, so that a crash at any point duplicates nothing.
 */

import type { ConversationId, PersonId } from "../../machine/id.ts";
import type { Speaker } from "../../machine/vocabulary.ts";
import type { HostMessage } from "../../ports/alerts.ts";
import type { Bot } from "../../ports/bot.ts";
import type { PutResult } from "../../ports/chat-platform.ts";
import type { ChatSurface } from "../../ports/connection.ts";
import type { Ledger } from "../../ports/surface.ts";
import type { ChatDeps } from "../../runtime/chat/people/deps.ts";
import { beginIn } from "../../runtime/chat/begin-in.ts";
import type { Watch, WatchEvent, WatchRows } from "./store/watches.ts";
import { titleOf } from "../../runtime/bot/title.ts";
import type { Say } from "../../i18n/say.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";
import { firstLineOf, messageOf } from "./words.ts";

export interface BeginDeps extends Pick<ChatDeps, "store" | "repos" | "modes" | "models" | "clock"> {
  readonly bot: Pick<Bot, "create" | "act" | "say" | "read">;
  readonly ledger: Pick<Ledger, "find">;
  readonly surfaces: () => readonly Pick<ChatSurface, "name" | "off" | "standing" | "tell" | "say">[];
  readonly rows: Pick<WatchRows, "begin">;
}

export type Began =
  | { readonly kind: "begun"; readonly conversation: ConversationId }
  /** The watch works; the event is tried again later. */
  | { readonly kind: "later"; readonly why: string }
  | { readonly kind: "failed"; readonly why: string };

const SPEAKS = "watch:";

/** The speaker of a watch has no write permission and cannot approve, even if the channel allows both to its members (D45). */
export const speakerFor = ({ id }: Pick<Watch, "id">): Speaker & { readonly id: PersonId } => ({
  id: `${SPEAKS}${id}`,
  name: `watch ${id}`,
  mayDrive: false,
  mayApprove: false,
});

/** Id of the speaker's watch; null for people. */
export const watchOf = (speaker: PersonId): string | null =>
  speaker.startsWith(SPEAKS) ? speaker.slice(SPEAKS.length) : null;

/** `inbox`: id of the event's row in the inbox. */
export const beginThread = async (
  deps: BeginDeps,
  watch: Watch,
  event: WatchEvent,
  inbox: string,
): Promise<Began> => {
  const { surface: name } = watch;
  const place = event.person?.place ?? watch.place;
  const surface = deps.surfaces().find((one) => one.name === name);
  if (surface === undefined || surface.off !== null) return { kind: "failed", why: "Its platform is off." };
  if (surface.standing() !== "on") return { kind: "later", why: surface.standing() };
  const binding = deps.store.binding(name, place) ?? deps.store.binding(name, watch.place);
  const repo = binding === null ? null : deps.repos.usable(binding.repo);
  if (repo === null) return { kind: "failed", why: "Its channel has no repository that this host lists." };
  const { post } = event;
  const tell = (): Promise<PutResult> => surface.tell(place, lineOf(watch, event, inbox, surface.say(place)));
  const known = post === undefined ? undefined : deps.ledger.find(name, place, post)?.conversation;
  // An app's post has a thread already. Otherwise the host's message starts the thread, and fails if a person's post is deleted.
  const isFirst = post === undefined || (event.person !== undefined && known === undefined);
  const put = isFirst ? await tell() : null;
  if (put?.kind === "refused") return { kind: "failed", why: put.why };
  const root = post ?? put?.message ?? "";
  const conversation =
    known ??
    deps.ledger.find(name, place, root)?.conversation ??
    (await create(deps, watch, event, { place, root }, repo));
  if (typeof conversation !== "string") return conversation;
  const speaker = speakerFor(watch);
  const begun = await deps.bot.read(conversation);
  // A person has asked below the post before the event arrived.
  if (begun !== null && begun.conversation.createdBy !== speaker.id) return { kind: "begun", conversation };
  const line = put ?? (await tell());
  if (line.kind === "refused") return { kind: "failed", why: line.why };
  const { message } = line;
  const said = await deps.bot.say({
    surface: "watch",
    id: inbox,
    conversation,
    speaker,
    ...messageOf(watch, event),
  });
  if (said.kind === "refused")
    return { kind: "failed", why: `A thread that nobody began was refused here (${said.why}).` };
  if (said.kind === "failed" || said.kind === "unknown")
    return { kind: "later", why: said.kind === "failed" ? said.message : said.kind };
  const now = deps.clock.now();
  const counted = { conversation, place, message, event, count: 1, told: 1, began: now, last: now };
  const done = await deps.rows.begin(counted, inbox);
  return done.kind === "failed" ? { kind: "later", why: done.message } : { kind: "begun", conversation };
};

const lineOf = (watch: Watch, event: WatchEvent, inbox: string, say: Say): HostMessage => ({
  id: `watch ${inbox}`,
  ...firstLineOf(watch, event, 1, say),
});

const create = async (
  deps: BeginDeps,
  watch: Watch,
  event: WatchEvent,
  { place, root }: { readonly place: string; readonly root: string },
  repo: Parameters<typeof beginIn>[1]["repo"],
): Promise<ConversationId | Began> => {
  const created = await beginIn(
    { ...deps, name: watch.surface },
    {
      thread: { place, root, ...omitUndefined({ server: event.person?.server }) },
      direct: false,
      repo,
      title: titleOf(event.title),
      by: speakerFor(watch).id,
      mode: watch.mode === null ? null : { key: watch.mode, reason: "The watch begins in this mode." },
    },
  );
  return created.kind === "created"
    ? created.overview.conversation.id
    : { kind: "later", why: created.message };
};
