/**
 * `digest`: posts every Monday how the questions of a week went. Everybody can see the setting. People of
 * PARLEY_APPROVERS can change it, and see the current week.
 */

import type { Person } from "../../ports/chat-platform.ts";
import { cardOf } from "./card.ts";
import type { DigestContext } from "./open.ts";
import type { Label } from "../../i18n/say.ts";
import { withoutEnd } from "../../text/trim-end.ts";
import type { RequestingPerson, ChatDeps } from "../../runtime/chat/people/deps.ts";
import { storageText } from "../../runtime/chat/people/reply-texts.ts";
import { MAY_NOT } from "../../runtime/chat/commands/channels.ts";
import { type Command, defineCommand } from "../../runtime/chat/commands/define-command.ts";
import { choiceOption, namedOption, type Option } from "../../runtime/chat/commands/options.ts";
import { surfacePersonId } from "../../runtime/chat/people/rights.ts";

const CHANGE = choiceOption("change", "What to do; without it, where it is told", "on", "off", "now");
/** As a mention or an id. */
const CHANNEL: Option<string> = {
  ...namedOption("channel", "Another channel than this one", (typed) => typed),
  form: "channel",
  read: (reading, index) => {
    if (reading.kind === "text") return undefined;
    const typed = reading.words.length === 0 ? undefined : reading.typed[index];
    return typed === undefined ? null : channelIn(typed);
  },
};

type DigestChange =
  /** `channel`: the platform's id of another channel; null for this one. */
  { readonly what: "on" | "off"; readonly channel: string | null } | { readonly what: "now" };

export const digestCommand = (own: () => DigestContext): Command =>
  defineCommand({
    words: ["digest"],
    options: [CHANGE, CHANNEL],
    read: (valueOf): DigestChange | null | undefined => {
      const [what, channel] = [valueOf(CHANGE), valueOf(CHANNEL)];
      if (what === null) return null;
      if (what !== "now") return { what, channel };
      return channel === null ? { what } : undefined;
    },
    rights: { right: "mayManage", refusal: MAY_NOT, isFree: (change) => change === null },
    help: {
      does: "How a week's questions went, told every Monday; switching it on is for the host's approvers",
      channel:
        "`/parley digest [on|off|now]` shows or sets whether this channel is told every week how questions went",
      before: { channel: "review", menu: "review" },
    },
    slash: ({ context: { deps }, asked, run }) => (asked === undefined ? deps.say(HOW) : run(asked)),
    run: ({ deps, asking, person }, change) =>
      change === null
        ? standing(own(), deps, asking.place)
        : changeDigest(own(), deps, change, asking, person),
  });

const channelIn = (typed: string): string | undefined => {
  const [, mentioned, bare] = CHANNEL_FORM.exec(withoutEnd(typed, ".")) ?? [];
  return mentioned ?? bare;
};

const CHANNEL_FORM = /^(?:<#([A-Z0-9]{5,25})(?:\|[^>]*)?>|#?([CG][A-Z0-9]{5,20}|\d{15,25}))$/;

const changeDigest = async (
  { digests }: Pick<DigestContext, "digests">,
  deps: ChatDeps,
  change: DigestChange,
  { place: here, direct }: RequestingPerson,
  person: Person,
): Promise<string> => {
  const { name: surface, platform, say } = deps;
  const { server } = platform;
  if (direct) return say("Say it in a server's channel: `/parley digest on`.");
  if (change.what === "now") {
    const { text, words } = cardOf(
      await digests.read({ surface, place: here, server, of: "readers" }, digests.thisWeek()),
      say,
    );
    return [text, ...(words === undefined ? [] : words.split("\n").map((line) => `> ${line}`))].join("\n");
  }
  const place = change.channel ?? here;
  if (change.what === "on" && place !== here && (await platform.audience(place)) === null) return say(UNSEEN);
  const done =
    change.what === "off"
      ? await digests.off(surface, place)
      : await digests.on({ surface, place, server, by: surfacePersonId(surface, person.id) });
  return done.kind === "failed" ? storageText(done.message, say) : standing({ digests }, deps, place);
};

const standing = (
  { digests }: Pick<DigestContext, "digests">,
  { name, say }: ChatDeps,
  place: string,
): string => {
  const on = digests.channel(name, place);
  if (on === null) return `${say("Nothing is told of a week here.")} ${say(HOW)}`;
  const since = new Date(on.at).toISOString().slice(0, 10);
  return say(
    "Every Monday from 09:00 UTC this channel is told how the questions of the last week went, in it and in the public channels beside it. Switched on by `{by}` on {since}. `/parley digest now` shows the week so far, `/parley digest off` switches it off.",
    { by: on.by, since },
  );
};

const UNSEEN: Label =
  "I cannot see that channel here. Invite me to it, or say `/parley digest on` in the channel itself.";

const HOW: Label =
  "Those who may approve switch it on with `/parley digest on`, in the channel that is to be told, or `/parley digest on #channel` with a mention or the id of another one; `/parley digest now` shows the week so far.";
