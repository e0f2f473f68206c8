/** Checks this machine's clock against the dates in responses to doctor's other requests. */

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { z } from "zod";
import type { Millis } from "../../../machine/id.ts";
import { error, type Finding, ok, warning } from "../../../ports/finding.ts";

/** Tolerance for dates in whole seconds and for network delay. */
const NORMAL: Millis = 30_000;
/** Slack accepts signatures for this long, and GitHub accepts an App's tokens for less. */
const MOST: Millis = 5 * 60_000;

export interface ServerDates {
  /** Yields nothing if no response had a date. */
  findings(): Iterable<Finding>;
  close(): void;
}

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

/** Diagnostics channels of `fetch` and Discord's client, and of Node's own HTTP client. */
const CHANNELS = ["undici:request:headers", "http.client.response.finish"];

const judge = (host: string, skew: Millis): Finding => {
  const size = Math.round(Math.abs(skew) / 1_000);
  const found = `${size} s ${skew > 0 ? "ahead of" : "behind"} ${host}`;
  if (Math.abs(skew) <= NORMAL) return ok("clock", `correct, compared with ${host}`);
  const judged = Math.abs(skew) > MOST ? error : warning;
  return judged(
    "clock",
    found,
    "Set the clock by a time server (timedatectl set-ntp true); signatures of Slack and GitHub Apps are valid for minutes only.",
  );
};

/** Raw headers alternate names and values as bytes. */
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
