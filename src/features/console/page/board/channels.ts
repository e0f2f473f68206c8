/**
 * Overrides of all chat channels, with forms to change them. Names appear when the platforms have answered.
 */

import type { About, CalledChannel, Channel } from "../../render/api-types.ts";
import { type HostAnswer, requestHost } from "../../../../../adapters/page/api.ts";
import { requestHostFacts } from "../api/requests.ts";
import { createBoard } from "../../../../../adapters/page/board.ts";
import { sectionsOn } from "./boards.ts";
import { type ChannelForm, channelForm } from "./channel-form.ts";
import { type Child, h } from "../../../../../adapters/page/dom.ts";
import { say } from "../../../../../adapters/page/words.ts";

export const channelsView = (): HTMLElement => createBoard({ title: say("Channels"), read, parts }).view;

interface Read {
  readonly channels: readonly Channel[];
  readonly about: About;
}

const read = async (): Promise<HostAnswer<Read>> => {
  const [channels, told] = await Promise.all([
    requestHost<Pick<Read, "channels">>("GET", "/api/channels"),
    requestHostFacts(),
  ]);
  if (channels.kind !== "ok") return channels;
  return told.kind === "ok" ? { kind: "ok", data: { ...channels.data, about: told.data } } : told;
};

const parts = ({ channels, about: known }: Read, again: () => void): readonly Child[] => {
  const forms = channels.map((one) => channelForm(one, known, again));
  if (forms.length > 0) void callThem(forms);
  return [
    h(
      "p.muted",
      say(
        "New conversations of a channel take its repository, work mode and model, and are told its instructions; running ones keep what they began with. Whoever it names approves in its threads, beside those of PARLEY_APPROVERS.",
      ),
    ),
    ...forms.map(({ form }) => form),
    h("h2", say("Another channel")),
    h("p.muted", WHERE),
    channelForm(null, known, again).form,
    ...sectionsOn("channels"),
  ];
};

const WHERE = say(
  "Its id stands at the foot of Slack's channel details; in Discord, Copy Channel ID in the channel's menu gives it once Developer Mode is on (Settings, Advanced). A channel also comes here by itself with /parley repo owner/name typed in it.",
);

/** Shows no error if the host does not answer, because the ids are visible anyway. */
const callThem = async (forms: readonly ChannelForm[]): Promise<void> => {
  const read = await requestHost<{ readonly names: readonly CalledChannel[] }>("GET", "/api/channels/names");
  if (read.kind !== "ok") return;
  for (const { surface, place, called } of read.data.names)
    forms.find(({ one }) => one?.surface === surface && one.place === place)?.call(called);
};
