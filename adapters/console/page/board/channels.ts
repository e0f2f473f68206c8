/** What each chat channel has of its own, and forms that set it. Names come when their platforms have told them. */

import type { CalledChannel, Channel } from "../../render/api-types.ts";
import { about, request } from "../api.ts";
import { type ChannelForm, channelForm } from "./channel-form.ts";
import { h } from "../dom.ts";
import { say } from "../words.ts";
import { serversSection } from "./servers.ts";

export const channelsView = (): HTMLElement => {
  const root = h("section.stack.board", { "aria-label": say("Channels") }, h("h1", say("Channels")));
  void fill(root);
  return root;
};

const fill = async (root: HTMLElement): Promise<void> => {
  const [read, told] = await Promise.all([
    request<{ readonly channels: readonly Channel[] }>("GET", "/api/channels"),
    about(),
  ]);
  if (read.kind !== "ok" || told.kind !== "ok") {
    const failed = [read, told].find((answer) => answer.kind !== "ok");
    root.append(h("p", { role: "alert" }, failed?.message ?? ""));
    return;
  }
  const again = () => {
    root.replaceChildren(h("h1", say("Channels")));
    void fill(root);
  };
  const forms = read.data.channels.map((one) => channelForm(one, told.data, again));
  root.append(
    h(
      "p.muted",
      say(
        "New conversations of a channel take its repository, work mode and model, and are told its instructions; running ones keep what they began with. Whoever it names approves in its threads, beside those of PARLEY_APPROVERS.",
      ),
    ),
    ...forms.map(({ form }) => form),
    h("h2", say("Another channel")),
    h("p.muted", WHERE),
    channelForm(null, told.data, again).form,
    serversSection(),
  );
  if (forms.length > 0) await callThem(forms);
};

const WHERE = say(
  "Its id stands at the foot of Slack's channel details; in Discord, Copy Channel ID in the channel's menu gives it once Developer Mode is on (Settings, Advanced). A channel also comes here by itself with /parley repo owner/name typed in it.",
);

/** Nothing is said where the host does not answer: the ids stand there. */
const callThem = async (forms: readonly ChannelForm[]): Promise<void> => {
  const read = await request<{ readonly names: readonly CalledChannel[] }>("GET", "/api/channels/names");
  if (read.kind !== "ok") return;
  for (const { surface, place, called } of read.data.names)
    forms.find(({ one }) => one?.surface === surface && one.place === place)?.call(called);
};
