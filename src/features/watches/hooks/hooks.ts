/**
 * `POST /hooks/NAME`: events of programs on the console's listener, with a separate secret for each name. The response is a
 * success only once the event is on the disk, so that the sender need not keep the event.
 */

import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import * as z from "zod";
import type { PullChange } from "../../../ports/forge.ts";
import type { Clock, Log } from "../../../ports/host.ts";
import { FORGES, type Forge, type EventReceipt, type Watch, type Watcher } from "../store/watches.ts";
import { jsonIn } from "../../../text/json.ts";
import { type JsonBounds, type OutsideJson, readOutside } from "../../../text/outside-json.ts";
import { type BodyLimits, createBodies } from "./bodies.ts";
import { followers, followsOf, watchesFor } from "./forge.ts";
import { readGeneric } from "./generic.ts";
import { pushedAtGithub, readGithub } from "./github.ts";
import { pushedAtGitlab, readGitlab } from "./gitlab.ts";
import { pullChangeAtGithub, pullChangeAtGitlab } from "./pull-change.ts";
import { type SignatureCheck, check, isToken, hookSecretsOf } from "./signature.ts";
import { createLruCache } from "../../../text/lru-cache.ts";

const LIMITS: BodyLimits = { each: 1_048_576, all: 16 * 1_048_576, time: 10_000 };

export interface HookDeps {
  /** Value of PARLEY_HOOK_SECRET. */
  readonly master: string;
  readonly watcher: Watcher;
  /** Host and path of the repositories of a watch's channel, as far as they are on a forge. */
  readonly reposOf: (watch: Watch) => readonly string[];
  /** Called after a push to a repository, named as in `reposOf`; absent if no feature needs pushes. */
  readonly pushed?: (repo: string) => void;
  /** Called after a change at a pull request; absent if no feature needs these changes. */
  readonly pullChanged?: (change: PullChange) => void;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  readonly limits?: BodyLimits;
}

export const createHooks = (deps: HookDeps) => {
  const names = (): readonly string[] => [
    ...new Set([
      ...((deps.pushed ?? deps.pullChanged) === undefined ? [] : FORGES),
      ...deps.watcher
        .all()
        .flatMap(({ id, source }) =>
          source.kind === "hook" ? [id] : source.kind === "forge" ? [source.forge] : [],
        ),
    ]),
  ];
  const nameOf = createRenamed(deps.log);
  const bodies = createBodies(deps.limits ?? LIMITS);
  return {
    name: "hooks",
    // Without watches and without a use for the events of forges, the path does not exist.
    owns: (path: string): boolean => isHookPath(path) && names().length > 0,
    knows: (token: string): boolean =>
      names().some((name) => isToken(token, hookSecretsOf(deps.master, name))),
    fetch: async (request: Request): Promise<Response> => {
      if (request.method !== "POST") return said(405, "post_only", "Events are sent with POST.");
      const path = new URL(request.url).pathname.toLowerCase();
      const name = /^\/hooks\/([a-z0-9][a-z0-9-]{1,39})\/?$/.exec(path)?.[1];
      const arrived = await bodies.read(request.body, Number(request.headers.get("content-length")));
      if (arrived.kind === "large") return said(413, "too_large", "An event has at most 1 MB.");
      if (arrived.kind === "dropped")
        return said(503, "too_slow", "The body did not arrive in time. Send it again.");
      const body = arrived.bytes;
      const checked =
        name === undefined
          ? WRONG
          : check(request.headers, body, hookSecretsOf(deps.master, name), deps.clock.now());
      if (checked.kind === "wrong" || name === undefined) {
        deps.log.warn("hook: event refused, wrong signature", { hook: name ?? "" });
        return said(401, "wrong_signature", "The signature or token is not this hook's.");
      }
      if (checked.kind === "old") return said(400, "too_old", "It was signed more than a day ago.");
      if (!names().includes(name)) return said(404, "unknown_hook", "There is no such hook.");
      const text = isUtf8(body) ? new TextDecoder().decode(body) : "";
      const forge = FORGES.find((one) => one === name);
      const read = forge === undefined ? readPlain(text) : readOutside(text, BOUNDS);
      if (read.kind === "wrong") return said(400, "not_json", `The body ${read.why}.`);
      // Without a sender's id, an equal body is the same delivery.
      const delivery = checked.delivery ?? createHash("sha256").update(body).digest("hex");
      return forge === undefined
        ? hear(deps, name, { read: read.value, text }, delivery)
        : hearForge(
            { ...deps, nameOf },
            forge,
            request.headers.get("x-github-event") ?? "",
            read.value,
            delivery,
          );
    },
  };
};

const hear = async (
  { watcher, clock }: HookDeps,
  name: string,
  body: { readonly read: unknown; readonly text: string },
  delivery: string,
): Promise<Response> => {
  const watch = watcher.all().find(({ id }) => id === name);
  if (watch?.source.kind !== "hook") return said(404, "unknown_hook", "There is no such hook.");
  const heard = readGeneric(watch.source, body.read, body.text);
  return answered(await watcher.take({ ...heard, watch: watch.id, delivery, at: clock.now() }));
};

/**
 * Stores an event of a forge. The event may start a thread in each channel of its repository, and the response follows once
 * every channel's event is stored.
 */
const hearForge = async (
  {
    watcher,
    reposOf,
    pushed,
    pullChanged,
    clock,
    nameOf,
  }: HookDeps & { readonly nameOf: ReturnType<typeof createRenamed> },
  forge: Forge,
  name: string,
  body: unknown,
  delivery: string,
): Promise<Response> => {
  const watched = watcher
    .all()
    .flatMap((watch) =>
      watch.source.kind === "forge" && watch.source.forge === forge ? reposOf(watch) : [],
    );
  const changed = forge === "github" ? pullChangeAtGithub(name, body) : pullChangeAtGitlab(body);
  // A change is not stored: its receiver asks the forge every few minutes anyway.
  if (changed !== null) pullChanged?.(changed);
  const unheard = (): Response =>
    Response.json(
      { result: changed === null || pullChanged === undefined ? "ignored" : "heard" },
      { status: 202 },
    );
  const pushedTo = forge === "github" ? pushedAtGithub(name, body) : pushedAtGitlab(body);
  // A push is not stored: an answer that is not rechecked now is rechecked within minutes anyway.
  if (pushedTo !== null) pushed?.(nameOf(forge, body, pushedTo, watched));
  if (pushedTo !== null)
    return pushed === undefined ? unheard() : Response.json({ result: "heard" }, { status: 202 });
  const read = forge === "github" ? readGithub(name, body) : readGitlab(body);
  if (read === null) return unheard();
  const happened = { ...read, repo: nameOf(forge, body, read.repo, watched) };
  const { title, text, link, fingerprint, once, repo } = happened;
  const follows = followsOf(happened);
  const heard = (follows === null ? watchesFor : followers)(watcher.all(), forge, reposOf, happened);
  // Checks of one commit fail in many events but are reported once.
  const key = `${repo} ${happened.kind} ${once ?? ""}`;
  const event = {
    title,
    text,
    link,
    at: clock.now(),
    ...(happened.kind === "reviews" ? { asksReview: true as const } : {}),
    ...(follows === null ? { fingerprint, delivery } : { fingerprint: key, delivery: key, follows }),
  };
  const taken = await Promise.all(heard.map(({ id }) => watcher.take({ ...event, watch: id })));
  const worst = taken.find(({ kind }) => kind === "failed" || kind === "full") ?? taken[0];
  return worst === undefined ? unheard() : answered(worst);
};

const answered = (taken: EventReceipt): Response => {
  switch (taken.kind) {
    case "stored":
    case "known":
      return Response.json({ result: taken.kind }, { status: 202 });
    case "off":
      return said(409, "off", taken.why);
    case "full":
      return said(503, "full", "Too many events wait. Send it again later.");
    case "failed":
      return said(503, "not_stored", "It could not be stored. Send it again.");
  }
};

/** No schema reads the body, so only its size is limited. */
const readPlain = (text: string): OutsideJson => {
  const value = jsonIn(text);
  return value === undefined ? { kind: "wrong", why: "is not JSON" } : { kind: "read", value };
};

/** Events of forges have a few thousand parts. */
const BOUNDS: JsonBounds = { parts: 50_000, depth: 100 };

const said = (status: number, code: string, message: string): Response => {
  const headers = status === 503 ? { "retry-after": "30" } : {};
  return Response.json({ error: { code, message } }, { status, headers });
};

/** Some senders store addresses in another case or append a slash. */
const isHookPath = (path: string): boolean => path.toLowerCase().startsWith("/hooks/");

const WRONG: SignatureCheck = { kind: "wrong" };

/** Maximum number of remembered repositories, and of repositories named in the log. */
const MOST = 1_000;

const named = z.object({ id: z.int() });
const renamedBody = z.object({ repository: named.optional(), project: named.optional() });

/** Remembers repositories by the forge's permanent id, so that a renamed repository still belongs to its channel. */
const createRenamed = (log: Pick<Log, "info" | "warn">) => {
  const paths = createLruCache<string>(MOST);
  const told = createLruCache<true>(MOST);
  const once = (key: string, tell: () => void): void => {
    if (told.get(key) === undefined) tell();
    told.set(key, true);
  };
  /**
   * The name under which a channel uses the event's repository, or the event's own name if no channel does. `watched`: host and
   * path of the repositories of channels.
   */
  return (forge: Forge, event: unknown, repo: string, watched: readonly string[]): string => {
    const { data } = renamedBody.safeParse(event);
    const id = (forge === "github" ? data?.repository : data?.project)?.id;
    const key = `${forge} ${id ?? ""}`;
    if (watched.includes(repo)) {
      if (id !== undefined) paths.set(key, repo);
      return repo;
    }
    const before = id === undefined ? undefined : paths.get(key);
    if (before !== undefined && watched.includes(before)) {
      once(`${before} ${repo}`, () =>
        log.warn("hook: repository renamed; bind the channels to the new name", { from: before, to: repo }),
      );
      return before;
    }
    if (watched.length > 0)
      once(repo, () => log.info("hook: event of an unwatched repository received", { repo }));
    return repo;
  };
};
