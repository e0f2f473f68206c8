/** What goes wrong between this machine and a platform means the same on every platform. */

import { webApi } from "@slack/bolt";
import { HTTPError as DiscordHTTPError } from "@discordjs/rest";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { discordFailureOf as onDiscord } from "../../adapters/discord/api/failure.ts";
import { discordRenderer } from "../../adapters/discord/write/render.ts";
import { discordLimits } from "../../adapters/discord/write/surface.ts";
import { slackFailureOf as onSlack } from "../../adapters/slack/api/failure.ts";
import { slackRenderer } from "../../adapters/slack/write/render.ts";
import { slackLimits } from "../../adapters/slack/write/surface.ts";
import type { Notice } from "../../src/machine/transcript.ts";
import type { SendFailure } from "../../src/ports/surface.ts";
import type { Post } from "../../src/thread/post.ts";
import { testSeed } from "../seed.ts";
import { english } from "../../src/i18n/say.ts";
import { looks } from "../looks.ts";

const NEVER_SENT = [
  "ECONNREFUSED",
  "EAI_AGAIN",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EMFILE",
  "UND_ERR_CONNECT_TIMEOUT",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "CERT_HAS_EXPIRED",
  "ERR_TLS_CERT_ALTNAME_INVALID",
];
const MAY_BE_DONE = [
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ECONNABORTED",
  "UND_ERR_SOCKET",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_ABORTED",
  "ABORT_ERR",
  "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
];

interface Named {
  readonly code?: string;
  readonly syscall?: string;
}

const failing = (named: Named): Error => Object.assign(new Error("it failed"), named);

/** As fetch wraps it, some times over. */
const wrapped = (error: Error, times: number): Error =>
  times === 0 ? error : new TypeError("fetch failed", { cause: wrapped(error, times - 1) });

/** As Slack's client hands it on. */
const bySlack = (error: Error): Error => new webApi.WebAPIRequestError(error);

const kinds = (error: Error): readonly SendFailure["kind"][] =>
  [onDiscord(error), onSlack(error), onSlack(bySlack(error))].map(({ kind }) => kind);

describe("a call that has no answer means the same on every platform", () => {
  it.each(NEVER_SENT)("%s: it was never sent, and may be made again", (code) => {
    expect(kinds(wrapped(failing({ code }), 1))).toEqual(["refused", "refused", "refused"]);
  });

  it.each(MAY_BE_DONE)("%s: it may have been carried out, and is looked for", (code) => {
    expect(kinds(wrapped(failing({ code }), 1))).toEqual(["unknown", "unknown", "unknown"]);
  });

  it("a time-out counts as never sent where the connection was not there yet", () => {
    expect(kinds(failing({ code: "ETIMEDOUT", syscall: "connect" }))).toEqual(
      kinds(failing({ code: "ECONNREFUSED", syscall: "connect" })),
    );
    expect(kinds(failing({ code: "ETIMEDOUT", syscall: "read" }))).toEqual(kinds(failing({})));
  });

  it("whatever it is called and however deep it lies, and neither ever counts as done or gone", () => {
    const named: fc.Arbitrary<Named> = fc.record({
      code: fc.oneof(fc.constantFrom(...NEVER_SENT, ...MAY_BE_DONE), fc.string()),
      syscall: fc.constantFrom("connect", "getaddrinfo", "read", "write"),
    });
    fc.assert(
      fc.property(named, fc.nat(4), (one, depth) => {
        const [first, ...others] = kinds(wrapped(failing(one), depth));
        expect(["refused", "unknown"]).toContain(first);
        expect(others).toEqual([first, first]);
      }),
      { seed: testSeed() },
    );
  });

  it.each([400, 403, 404, 407, 413, 429, 500, 502, 503, 504, 520])("HTTP %i without an answer", (status) => {
    const discord = new DiscordHTTPError(status, "no answer", "POST", "/x", {});
    const slack = new webApi.WebAPIHTTPError(status, "no answer", {});
    expect(onDiscord(discord)).toEqual(onSlack(slack));
    expect(onDiscord(discord).kind).toBe(status >= 500 ? "unknown" : "refused");
  });
});

const scene = {
  conversation: {
    id: "c-1",
    surface: "slack",
    repo: { kind: "path", location: "/repo" },
    base: null,
    title: "",
    createdBy: "slack:UALICE",
    createdAt: 0,
    updatedAt: 0,
    prefix: "",
    origin: null,
  },
  words: new Map(),
  looks,
  question: null,
} as const;

const by = "slack:UALICE";
const NOTICES: { readonly [K in Notice["kind"]]: Notice & { readonly kind: K } } = {
  stopped: { kind: "stopped", by, skipped: 0 },
  interrupted: { kind: "interrupted" },
  unread: { kind: "unread", by: [by] },
  failed: { kind: "failed", failure: { kind: "auth", message: "No.", retryAfter: null }, attempts: 1 },
  fellBack: {
    kind: "fellBack",
    from: "claude-opus-5-5",
    to: "gpt-5",
    failure: { kind: "overloaded", message: "The model is overloaded.", retryAfter: null },
  },
  permission: { kind: "permission", to: "restricted", by },
  mode: { kind: "mode", from: "a", to: "b", by },
  model: { kind: "model", from: "claude-opus-5-5", to: "gpt-5", by },
  safeMode: { kind: "safeMode", on: true, by },
  notAsked: { kind: "notAsked", why: { request: "off", by } },
  grants: { kind: "grants", categories: ["SUDO"], by },
  paused: { kind: "paused", until: 0 },
  branched: { kind: "branched", to: null, mode: "a" },
  notContinued: { kind: "notContinued" },
  wrote: { kind: "wrote", write: "file_issue", by, wrote: { kind: "failed", why: "No." } },
  setUp: { kind: "setUp", setUp: { kind: "ready", seconds: 1, late: false } },
  putBack: { kind: "putBack", putBack: { kind: "whole", days: 1 } },
  reused: { kind: "reused", from: "c-2", age: 90_000_000 },
  context: { kind: "context", used: 81, window: 100 },
  unseen: { kind: "unseen", why: "late", days: 3 },
  empty: { kind: "empty" },
  refused: { kind: "refused" },
  noCall: { kind: "noCall" },
  cut: { kind: "cut" },
};

it.each(Object.values(NOTICES))("$kind is said in the same words on every chat platform", (notice) => {
  const post: Post = { key: "n", at: 0, final: true, actions: [], body: { kind: "notice", notice } };
  const [onSlack] = slackRenderer(english).post(post, scene, slackLimits);
  const [onDiscord] = discordRenderer(english).post(post, scene, discordLimits);
  expect(plain(onDiscord?.content.lead).replaceAll(by, "")).toBe(plain(onSlack?.content.lead));
});

/** Without what each platform writes in its own way. */
const plain = (text = ""): string => text.replaceAll(/[`*_\\\u200b]|<@UALICE>/g, "");
