/**
 * A wire-level stand-in for the Messages API (hazards M1 to M4): the real SDK talks to it over HTTP.
 *
 * Owns: the script, the faults, the gates, the cache and the journal of one server. It never sleeps: an answer is either
 * sent or waits at a gate. Whatever the API would refuse is refused and also kept in `violations`, which tests assert to
 * be empty; what a correct program may run into (bad key, unknown model, prompt over the window) is only refused.
 */

import { createExchange, type Exchange } from "../shared/exchange.ts";
import { createGates, type Gate } from "../shared/gates.ts";
import { createJournal } from "../shared/journal.ts";
import { createSchedule } from "../shared/schedule.ts";
import { listenOnLoopback, readBody } from "../shared/server.ts";
import { createPrefixCache } from "./cache.ts";
import { control } from "./control.ts";
import type { Fault, Match } from "./fault.ts";
import { type FakeModel, fakeModels } from "./models.ts";
import { createPausedTurns } from "./paused.ts";
import { type Api, type Script, serve } from "./serve.ts";
import { wireSchema } from "./schema.ts";

export interface FakeAnthropicOptions {
  /** The only key that is let in; unset: `test-key`. */
  readonly apiKey?: string;
  /** Unset: `fakeModels`. A small window here makes overflow easy to reach. */
  readonly models?: readonly FakeModel[];
  /** Milliseconds by which cache entries expire; unset: the real clock. */
  readonly now?: () => number;
}

/** For which requests. A predicate sees those of every path; as data it means `/v1/messages` unless it says otherwise. */
type Matching = Match | ((request: Exchange) => boolean);

interface Violation {
  /** The request's number in the journal. */
  readonly seq: number;
  readonly message: string;
}

export interface FakeAnthropic {
  readonly port: number;
  /** For `new Anthropic({ baseURL })`. */
  readonly url: string;
  readonly apiKey: string;
  /** Answers in the order they will be given, each once. */
  script(...turns: readonly Script[]): void;
  /** Answers for matching requests only: conversations that run at once each get their own. */
  scriptFor(match: Matching, ...turns: readonly Script[]): void;
  /** An answer that is given as often as it is asked for, after those scripted earlier. */
  scriptAlways(turn: Script, match?: Matching): void;
  /** Spoils the next `times` (1) matching requests; see `Fault`. */
  fault(fault: Fault, options?: { readonly times?: number; readonly match?: Matching }): void;
  /** The gate of that name, or a new one; it is data that a turn can hold. */
  gate(name?: string): Gate;
  /** Every request so far. */
  readonly requests: readonly Exchange[];
  /** The first request to the path not yet returned by this; unset path: `/v1/messages`. */
  nextRequest(path?: string): Promise<Exchange>;
  /** The first `count` requests to the path, once they have come; unset path: `/v1/messages`. */
  waitFor(count: number, path?: string): Promise<readonly Exchange[]>;
  readonly violations: readonly Violation[];
  /** Scripted answers not yet given; `Infinity` after `scriptAlways`. */
  pending(): number;
  /** Ends every connection at once. Waits on requests that never came are rejected. */
  close(): Promise<void>;
}

/** The API's own limit on a request. */
const maxBody = 32 * 1024 * 1024;

export const createFakeAnthropic = async (options: FakeAnthropicOptions = {}): Promise<FakeAnthropic> => {
  const apiKey = options.apiKey ?? "test-key";
  const journal = createJournal<Exchange>();
  const violations: Violation[] = [];
  const gates = createGates();
  const api: Api = {
    apiKey,
    models: options.models ?? fakeModels,
    schema: await wireSchema(),
    script: createSchedule(),
    faults: createSchedule(),
    cache: createPrefixCache(options.now ?? Date.now),
    paused: createPausedTurns(),
    gates,
    violate: (seq, message) => violations.push({ seq, message }),
  };
  const push = (match: Matching, times: number, turns: readonly Script[]): void => {
    for (const value of turns) {
      api.script.push({ match: admits(match), times, value });
    }
  };

  const server = await listenOnLoopback(async (request, response) => {
    const read = await readBody(request, maxBody);
    if (read.kind === "gone") {
      return;
    }
    const body = read.kind === "read" ? parsed(read.bytes.toString("utf8")) : undefined;
    if (request.url?.startsWith("/__fake/") === true) {
      await control(fake, request, body, response);
      return;
    }
    const live = createExchange(journal.entries.length + 1, request, body, response);
    journal.append(live.exchange);
    await serve(api, { live, response, requestId: `req_fake_${live.exchange.seq}` }, request, read.kind);
  });

  const fake: FakeAnthropic = {
    port: server.port,
    url: server.url,
    apiKey,
    script: (...turns) => push({}, 1, turns),
    scriptFor: (match, ...turns) => push(match, 1, turns),
    scriptAlways: (turn, match = {}) => push(match, Number.POSITIVE_INFINITY, [turn]),
    fault: (fault, { times = 1, match = {} } = {}) =>
      api.faults.push({ match: admits(match), times, value: fault }),
    gate: (name) => gates.gate(name),
    requests: journal.entries,
    nextRequest: (path = "/v1/messages") => journal.next((request) => request.path === path),
    waitFor: (count, path = "/v1/messages") => journal.waitFor(count, (request) => request.path === path),
    violations,
    pending: () => api.script.pending(),
    close: async () => {
      journal.close();
      await server.close();
    },
  };
  return fake;
};

const admits = (match: Matching): ((request: Exchange) => boolean) =>
  typeof match === "function"
    ? match
    : (request) =>
        request.path === (match.path ?? "/v1/messages") &&
        (match.model === undefined || modelOf(request.body) === match.model) &&
        (match.contains === undefined || JSON.stringify(request.body ?? null).includes(match.contains));

const modelOf = (body: unknown): unknown =>
  typeof body === "object" && body !== null && "model" in body ? body.model : undefined;

const parsed = (text: string): unknown => {
  if (text === "") {
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
