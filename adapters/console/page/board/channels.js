/** What each chat channel has of its own, and forms that set it. Names come when their platforms have told them. */

import { about, request } from "../api.js";
import { channelForm } from "./channel-form.js";
import { h } from "../dom.js";

export const channelsView = () => {
  const root = h("section", { class: "board", "aria-label": "Channels" }, h("h1", {}, "Channels"));
  void fill(root);
  return root;
};

const fill = async (root) => {
  const [read, told] = await Promise.all([request("GET", "/api/channels"), about()]);
  if (read.kind !== "ok" || told.kind !== "ok") {
    root.append(h("p", { role: "alert" }, read.kind === "ok" ? told.message : read.message));
    return;
  }
  const again = () => {
    root.replaceChildren(h("h1", {}, "Channels"));
    void fill(root);
  };
  const { modes } = told.data;
  const forms = read.data.channels.map((one) => channelForm(one, modes, again));
  root.append(
    h(
      "p",
      { class: "channels-note" },
      "New conversations of a channel take its repository and work mode, and are told its instructions; running ones keep what they began with. Whoever it names approves in its threads, beside those of PARLEY_APPROVERS.",
    ),
    ...forms.map(({ form }) => form),
    h("h2", {}, "Another channel"),
    h("p", { class: "channels-note" }, WHERE),
    channelForm(null, modes, again).form,
  );
  if (forms.length > 0) await callThem(forms);
};

const WHERE =
  "Its id stands at the foot of Slack's channel details; in Discord, Copy Channel ID in the channel's menu gives it once Developer Mode is on (Settings, Advanced). A channel also comes here by itself with /parley repo owner/name typed in it.";

/** Nothing is said where the host does not answer: the ids stand there. */
const callThem = async (forms) => {
  const read = await request("GET", "/api/channels/names");
  if (read.kind !== "ok") return;
  for (const { surface, place, called } of read.data.names)
    forms.find(({ one }) => one.surface === surface && one.place === place)?.call(called);
};
