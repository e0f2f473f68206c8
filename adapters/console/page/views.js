/** What stands in the place of a thread: how the host is, and all conversations. */

import { byId } from "./dom.js";
import { searchView } from "./find.js";
import { hostView } from "./host.js";

const VIEWS = { status: hostView, search: searchView };

/** Shows the view that the address names, and tells whether it names one. */
export const showView = (thread) => {
  const [, name, typed = ""] = /^#\/(status|search)(?:\?q=(.*))?$/.exec(location.hash) ?? [];
  byId("app").classList.toggle("looking", name !== undefined);
  if (name === undefined) return false;
  thread.show(VIEWS[name](decoded(typed)));
  document.title = `${name === "status" ? "Status" : "All conversations"} – Parley`;
  return true;
};

const decoded = (typed) => {
  try {
    return decodeURIComponent(typed);
  } catch {
    return "";
  }
};
