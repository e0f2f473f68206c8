/** What stands in the place of a thread: how the host is, and all conversations. */

import { byId } from "../dom.js";
import { searchView } from "./find.js";
import { channelsView } from "./channels.js";
import { hostView } from "./host.js";

const VIEWS = { status: hostView, search: searchView, channels: channelsView };
const TITLES = { status: "Status", search: "All conversations", channels: "Channels" };

/** Shows the view that the address names, and tells whether it names one. */
export const showView = (thread) => {
  const [, name, typed = ""] = /^#\/(status|search|channels)(?:\?q=(.*))?$/.exec(location.hash) ?? [];
  byId("app").classList.toggle("looking", name !== undefined);
  if (name === undefined) return false;
  thread.show(VIEWS[name](decoded(typed)));
  document.title = `${TITLES[name]} – Parley`;
  return true;
};

const decoded = (typed) => {
  try {
    return decodeURIComponent(typed);
  } catch {
    return "";
  }
};
