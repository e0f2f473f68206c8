import type { WatchEvent } from "./store/watches.ts";
import { showAll, visibleText } from "../../text/invisible.ts";

const TITLE = 200;
const TEXT = 16_000;
const LINK = 2_000;
const ID = 300;

/** The ellipsis shows that a field was cut. */
export const clipped = (event: WatchEvent): WatchEvent => ({
  ...event,
  delivery: event.delivery.slice(0, ID),
  fingerprint: event.fingerprint.slice(0, ID),
  title: visibleText(cut(event.title.trim(), TITLE)) || "An event without a title",
  text: showAll(cut(event.text.trim(), TEXT)),
  link: event.link !== null && event.link.length <= LINK && isPlain(event.link) ? event.link : null,
});

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;

/** Whether a link can be opened and its target is visible. */
const isPlain = (link: string): boolean => {
  const url = URL.parse(link);
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") && url.username === "";
};
