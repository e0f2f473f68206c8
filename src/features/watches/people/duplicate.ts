/** One line with a link, below a post that repeats a known matter. Nobody's thread begins. */

import type { HostMessage } from "../../../ports/alerts.ts";
import type { ChatSurface } from "../../../ports/connection.ts";
import type { Say } from "../../../i18n/say.ts";
import type { Watch } from "../store/watches.ts";
import type { PostEvent } from "./first-looks.ts";

/** `inbox`: id of the event, so that the line is posted once. */
export const tellDuplicate = async (
  surfaces: () => readonly Pick<ChatSurface, "name" | "off" | "standing" | "tell" | "say">[],
  watch: Watch,
  { person: { place }, post }: PostEvent,
  link: string,
  inbox: string,
): Promise<{ readonly kind: "done" | "later" } | { readonly kind: "failed"; readonly why: string }> => {
  const surface = surfaces().find(({ name }) => name === watch.surface);
  if (surface === undefined || surface.off !== null) return { kind: "failed", why: "Its platform is off." };
  if (surface.standing() !== "on") return { kind: "later" };
  const put = await surface.tell(place, {
    id: `watch ${inbox}`,
    root: post,
    ...duplicateLine(watch.id, link, surface.say(place)),
  });
  return put.kind === "put" ? { kind: "done" } : { kind: "failed", why: put.why };
};

export const duplicateLine = (
  watch: string,
  link: string,
  say: Say,
): Pick<HostMessage, "text" | "link" | "buttons"> => ({
  text: say("This seems to be known already:"),
  link,
  buttons: [
    { action: { feature: "not_useful" }, label: say("Not useful"), value: `${OF_DUPLICATE}${watch}` },
  ],
});

const OF_DUPLICATE = "watch/";

/** The watch that said that the post is a duplicate; null for buttons of other lines. */
export const duplicateOf = (value: string): string | null =>
  value.startsWith(OF_DUPLICATE) ? value.slice(OF_DUPLICATE.length) : null;
