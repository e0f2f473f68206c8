/** Whether this machine's clock is right, by the dates of the answers that doctor gets anyway. */

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { z } from "zod";
import type { Millis } from "../../../machine/id.ts";
import { error, type Finding, ok, warning } from "../../../ports/finding.ts";

/** A date has whole seconds, and answers travel. */
const NORMAL: Millis = 30_000;
/** Slack's signatures are taken for that long, and a GitHub App's words for less. */
const MOST: Millis = 5 * 60_000;

export interface ServerDates {
  /** Nothing where nobody answered with a date. */
  findings(): Iterable<Finding>;
  close(): void;
}

/** Hears every answer of this process from now on, whichever client asked. */
export const listenForDates = (now: () => Millis = Date.now): ServerDates => {
  let furthest: { readonly host: string; readonly skew: Millis } | null = null;
  const hear = (message: unknown): void => {
    const { host = "", date = "" } = answered.safeParse(message).data ?? {};
    const skew = now() - Date.parse(date);
    if (Number.isNaN(skew)) return;
    if (furthest === null || Math.abs(skew) > Math.abs(furthest.skew)) furthest = { host, skew };
  };
  for (const channel of CHANNELS) subscribe(channel, hear);
  return {
    findings: () => (furthest === null ? [] : [judge(furthest.host, furthest.skew)]),
    close: () => {
      for (const channel of CHANNELS) unsubscribe(channel, hear);
    },
  };
};

/** What `fetch` and Discord's client publish, and what Node's own client does. */
const CHANNELS = ["undici:request:headers", "http.client.response.finish"];

const judge = (host: string, skew: Millis): Finding => {
  const size = Math.round(Math.abs(skew) / 1_000);
  const found = `${size} s ${skew > 0 ? "ahead of" : "behind"} ${host}`;
  if (Math.abs(skew) <= NORMAL) return ok("clock", `right, by ${host}`);
  const judged = Math.abs(skew) > MOST ? error : warning;
  return judged(
    "clock",
    found,
    "Set it by a time server (timedatectl set-ntp true): signatures of Slack and of GitHub Apps hold for minutes.",
  );
};

/** Names and values in turn, as bytes. */
const dateIn = (headers: readonly Uint8Array[]): string | undefined => {
  const texts = headers.map((bytes) => Buffer.from(bytes).toString("latin1"));
  const at = texts.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === "date");
  return at < 0 ? undefined : texts[at + 1];
};

const fetched = z
  .object({
    request: z.object({ origin: z.string() }),
    response: z.object({ headers: z.array(z.instanceof(Uint8Array)) }),
  })
  .transform(({ request, response }) => ({
    host: new URL(request.origin).host,
    date: dateIn(response.headers),
  }));
const answered = fetched.or(
  z
    .object({
      request: z.object({ host: z.string() }),
      response: z.object({ headers: z.object({ date: z.string().optional() }) }),
    })
    .transform(({ request, response }) => ({ host: request.host, date: response.headers.date })),
);
