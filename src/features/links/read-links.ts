/**
 * Reads the pages that a message links to. The turn waits for them at most ten seconds and begins with the pages that arrived.
 * A page is read once per conversation: its text is part of the message, so erasing the message permits another read.
 */

import { z } from "zod";
import { pageSourceOf, pageTypeOf } from "../../../adapters/text/page-source.ts";
import type { Get, Got } from "../../../sandbox/egress/get.ts";
import type { Core } from "../../feature.ts";
import type { ConversationId, Millis } from "../../machine/id.ts";
import { reposOf } from "../../ports/conversation.ts";
import type { LinkedPages, ReadLinks } from "../../ports/links.ts";
import { createLruCache } from "../../text/lru-cache.ts";
import { quoteUntrusted } from "../../text/quotes.ts";
import { maskSecrets } from "../../text/secrets/known-forms.ts";
import { json } from "../../store/base/codec.ts";
import { ownPartSchema } from "../../store/schema/prompt.ts";
import { type LinkedPage, linkedPagesIn } from "../../thread/linked-pages.ts";
import { postedLinks } from "./links-in.ts";

interface LinkDeps extends Pick<Core, "clock" | "readForgePage"> {
  readonly get: Get;
  readonly chat: Pick<Core["chat"], "channel">;
  readonly store: Pick<Core["store"], "load">;
  readonly rows: Pick<Core["rows"], "select">;
}

/** Pages per message. */
const MOST_LINKS = 3;
const MOST_BYTES = 1_000_000;
const LONGEST: Millis = 10_000;
/** Code points of a page that the message quotes. */
const MOST_TEXT = 24_000;
/** Pages of messages that started no turn, such as refused ones. */
const MOST_KEPT = 50;

export const createReadLinks = ({ clock, get, readForgePage, chat, store, rows }: LinkDeps): ReadLinks => {
  const kept = createLruCache<ReadLink>(MOST_KEPT);
  const select = rows.select(`SELECT words FROM messages
    WHERE conversation = @conversation AND kind = 'said' AND json_extract(words, '$.own.pages') IS NOT NULL`);
  const addressesIn = (conversation: ConversationId): ReadonlySet<string> =>
    new Set(
      select({ conversation }).flatMap((row) => {
        const said = stored.safeParse(row);
        return said.success ? linkedPagesIn(said.data.words).flatMap(addressOf) : [];
      }),
    );

  return async ({ conversation, surface, channel, text }) => {
    if (chat.channel(surface, channel)?.links !== true) return NOTHING;
    const links = postedLinks(text);
    if (links.length === 0) return NOTHING;
    const bound = store.load(conversation)?.conversation.repo;
    const known = addressesIn(conversation);
    const ending = new AbortController();
    const cancel = clock.after(LONGEST, () => ending.abort());

    const read = async (url: URL): Promise<ReadLink> => {
      if (url.username !== "" || url.password !== "")
        return unread("its address contains a password or a token");
      const forge = readForgePage(url, bound === undefined ? [] : reposOf(bound), ending.signal);
      if (forge !== null) {
        const page = await forge;
        return page.kind === "found"
          ? { outcome: { kind: "read", text: page.value }, host: url.hostname }
          : unread(page.why);
      }
      return textOf(await get({ ...REQUEST, url, signal: ending.signal }), clock.now());
    };

    const one = async (url: URL): Promise<ReadLink> => {
      const address = shownAddress(url);
      if (known.has(address)) return { outcome: { kind: "known" }, host: null };
      const key = `${conversation} ${address}`;
      const before = kept.get(key);
      if (before !== undefined) return before;
      const found = await Promise.race([read(url), aborted(ending.signal)]);
      if (found.outcome.kind === "read") kept.set(key, found);
      return found;
    };

    const found = await Promise.all(
      links.map(async (url, index) => ({
        address: shownAddress(url),
        ...(index < MOST_LINKS ? await one(url) : unread(`only ${MOST_LINKS} pages of a message are read`)),
      })),
    );
    cancel();
    return {
      pages: found.map(({ address, outcome }): LinkedPage => ({ address, outcome })),
      hosts: [...new Set(found.flatMap(({ host }) => host ?? []))],
    };
  };
};

interface ReadLink {
  readonly outcome: LinkedPage["outcome"];
  /** Null if no page was read. */
  readonly host: string | null;
}

const NOTHING: LinkedPages = { pages: [], hosts: [] };

const TEXT = /^(?:text\/[\w.+-]+|application\/(?:json|xml|xhtml\+xml|yaml|x-yaml|[\w.-]+\+(?:json|xml)))$/;

const stored = z.object({
  words: json(z.object({ text: z.string(), own: ownPartSchema })),
});

/** A failed page may be read again. */
const addressOf = ({ address, outcome }: LinkedPage): readonly string[] =>
  outcome.kind === "read" ? [address] : [];

/** The address in the message's text and in Steps, without credentials. */
const shownAddress = (url: URL): string => {
  const shown = new URL(url);
  shown.username = "";
  shown.password = "";
  return maskSecrets(shown.href);
};

const REQUEST = {
  most: MOST_BYTES,
  tag: null,
  accepts: (type: string) => TEXT.test(pageTypeOf(type)),
  isPartEnough: true,
} as const;

const unread = (why: string): ReadLink => ({
  outcome: { kind: "unread", why: `${maskSecrets(why.replaceAll(/\s+/g, " ").replace(/\.$/, ""))}.` },
  host: null,
});

const aborted = (signal: AbortSignal): Promise<ReadLink> =>
  new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(unread(`it took longer than ${LONGEST / 1_000} seconds`)));
  });

const textOf = async (got: Got, at: Millis): Promise<ReadLink> => {
  if (got.kind === "refused") return unread(`its host answers with status ${got.status}`);
  // The reason begins with the address, which may contain a redirect's credentials.
  if (got.kind === "failed") return unread(got.why.replace(/^\S+: /, "").replace(/^https?:\S+ /, "it "));
  if (got.kind !== "page") return unread("it redirects elsewhere");
  const source = pageSourceOf(got, got.url.href);
  if (source === null) return unread("it is no text");
  // A host whose channels read no links does not load the parser.
  const { readPage } = await import("../../../adapters/text/page.ts");
  const text = readPage(source)
    .sections.map((section) => `${section.title}\n\n${section.text}`)
    .join("\n\n")
    .replaceAll(/\n[^\S\n]*(?:\n[^\S\n]*){2,}/g, "\n\n");
  if (text.trim() === "")
    return unread("it contains no text, which often means that it needs a sign-in or scripts");
  const { hostname } = got.url;
  const quote = quoteUntrusted({ author: hostname, at, text }, MOST_TEXT);
  const rest = got.isPart === true ? "\n[the rest of the page is left out]" : "";
  return { outcome: { kind: "read", text: `${quote}${rest}` }, host: hostname };
};
