/**
 * `digest`: posts figures about the questions of a week every Monday. Everybody can see the setting. People of PARLEY_APPROVERS
 * can change it, and see the current week.
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

const CHANGE = choiceOption(
  "change",
  "on, off or now; leave empty to see where the digest is posted",
  "on",
  "off",
  "now",
);
/** As a mention or an id. */
const CHANNEL: Option<string> = {
  ...namedOption("channel", "Another channel; leave empty for this one", (typed) => typed),
  form: "channel",
  read: (reading, index) => {
    if (reading.kind === "text") return undefined;
    const typed = reading.words.length === 0 ? undefined : reading.typed[index];
    return typed === undefined ? null : channelIn(typed);
  },
};

type DigestChange =
  /** `channel`: the platform's id of another channel; null for the channel of the command. */
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
      does: "Weekly digest of questions, posted every Monday (only host approvers can turn the digest on)",
      channel:
        "`/parley digest [on|off|now]` shows the weekly digest, or turns it on or off for this channel",
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
  if (direct) return say("Use this command in a server's channel: `/parley digest on`.");
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
  if (on === null) return `${say("The weekly digest is not posted here.")} ${say(HOW)}`;
  const since = new Date(on.at).toISOString().slice(0, 10);
  return say(
    "Every Monday from 09:00 UTC, a digest of last week's questions is posted here. The digest covers this channel and the public channels of the same server or workspace. Turned on by `{by}` on {since}. `/parley digest now` shows the week so far, `/parley digest off` turns the digest off.",
    { by: on.by, since },
  );
};

const UNSEEN: Label =
  "I cannot see that channel here. Invite me to it, or use `/parley digest on` in the channel itself.";

const HOW: Label =
  "Host approvers turn the digest on with `/parley digest on` in the channel that receives the digest, or with `/parley digest on #channel` for another channel (a mention or an id). `/parley digest now` shows the week so far.";
