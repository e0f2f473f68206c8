/**
 * `digest`: how the questions of a week went, told in a channel every Monday. Everybody may see whether it is; those of
 * PARLEY_APPROVERS switch it on and off, and see the week so far.
 */

import { cardOf } from "../../digest/card.ts";
import type { Label } from "../../../words/say.ts";
import type { Answers, ChatDeps } from "../deps.ts";
import { storageText } from "../reply-texts.ts";
import { MAY_NOT } from "./channels.ts";
import type { DigestChange } from "./command.ts";
import { personId, rightsOf } from "./rights.ts";

export const digest: Answers<DigestChange | null> = async (deps, change, asking, person) => {
  const { place: here, direct } = asking;
  const { digests, name: surface, platform, say } = deps;
  const { server } = platform;
  if (change === null) return standing(deps, here);
  if (!rightsOf(deps.policy, person).mayManage) return say(MAY_NOT);
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
      : await digests.on({ surface, place, server, by: personId(surface, person.id) });
  return done.kind === "failed" ? storageText(done.message, say) : standing(deps, place);
};

const standing = ({ digests, name, say }: ChatDeps, place: string): string => {
  const on = digests.channel(name, place);
  if (on === null) return `${say("Nothing is told of a week here.")} ${say(DIGEST_HOW)}`;
  const since = new Date(on.at).toISOString().slice(0, 10);
  return say(
    "Every Monday from 09:00 UTC this channel is told how the questions of the last week went, in it and in the public channels beside it. Switched on by `{by}` on {since}. `/parley digest now` shows the week so far, `/parley digest off` switches it off.",
    { by: on.by, since },
  );
};

const UNSEEN: Label =
  "I cannot see that channel here. Invite me to it, or say `/parley digest on` in the channel itself.";

export const DIGEST_HOW: Label =
  "Those who may approve switch it on with `/parley digest on`, in the channel that is to be told, or `/parley digest on #channel` with a mention or the id of another one; `/parley digest now` shows the week so far.";
