/** Views that replace the thread: the state of the host, channels, and all conversations. */

import { byId } from "../../../../../adapters/page/dom.ts";
import type { ThreadView } from "../thread/thread.ts";
import { say } from "../../../../../adapters/page/words.ts";
import { boards, featureBoard } from "./boards.ts";
import { searchView } from "./find.ts";
import { channelsView } from "./channels.ts";
import { hostView } from "./host.ts";

interface View {
  readonly title: string;
  show(typed: string): HTMLElement;
}

const VIEWS: ReadonlyMap<string, View> = new Map([
  ["status", { title: say("Status"), show: hostView }],
  ["search", { title: say("All conversations"), show: searchView }],
  ["channels", { title: say("Channels"), show: channelsView }],
  ...boards.map((one): [string, View] => [
    one.name,
    { title: say.stored(one.title), show: () => featureBoard(one) },
  ]),
]);

/** Shows the view that the address names; returns false if the address names no view. */
export const showView = (thread: Pick<ThreadView, "show">): boolean => {
  const [, name = "", typed = ""] = /^#\/([a-z]+)(?:\?q=(.*))?$/.exec(location.hash) ?? [];
  const view = VIEWS.get(name);
  byId("dock").hidden = view !== undefined;
  if (view === undefined) return false;
  thread.show(view.show(decoded(typed)));
  document.title = `${view.title} – Parley`;
  return true;
};

const decoded = (typed: string): string => {
  try {
    return decodeURIComponent(typed);
  } catch {
    return "";
  }
};
