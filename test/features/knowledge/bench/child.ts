/** Reads it all into an index, in a process of its own, and then asks that. */

import { setTimeout as wait } from "node:timers/promises";
import { parseNetwork } from "../../../../sandbox/egress/address.ts";
import { createConnectReach } from "../../../../sandbox/egress/reach.ts";
import { systemClock } from "../../../../src/app/system-clock.ts";
import { createKnowledge } from "../../../../src/features/knowledge/knowledge.ts";
import { conversationOf } from "../../../store/plain.ts";
import { withForges } from "../../../with-forges.ts";
import { queryOf } from "./corpus.ts";

export interface Told {
  readonly seconds: number;
  readonly texts: number;
  /** Most that the process held, and the file, in MB. */
  readonly memory: number;
  readonly file: number;
  /** Longest that the event loop was held up meanwhile, and each search, in milliseconds. */
  readonly late: number;
  readonly searches: readonly number[];
}

const [directory = "", port = "", issues = "0", pages = "0", asked = "0"] = process.argv.slice(2);
const root = `http://127.0.0.1:${port}`;
const repo = { kind: "url", location: "https://github.com/acme/shop.git" } as const;
const switched = { entries: ["issues", `${root}/p/`], repo };
const silent = { info: () => undefined, warn: console.error, error: console.error };
const loopback = parseNetwork("127.0.0.0/8");

const entry = {
  kind: "github-token",
  repos: ["acme/*"],
  api: root,
  git: root,
  token: "github_pat_0123456789",
};
const { archives } = (await withForges(entry)).forge;
const knowledge = createKnowledge({
  directory,
  archives,
  reach: createConnectReach({
    rules: { names: null, networks: [] },
    lookup: () => Promise.resolve([]),
    unsafeOpen: loopback === null ? [] : [loopback],
  }),
  userAgent: "bench",
  channels: () => [switched],
  channelOf: () => switched,
  threads: {
    communityOf: ({ surface }) => surface,
    standing: () => Promise.resolve([]),
    read: () => Promise.resolve(null),
  },
  clock: systemClock,
  log: silent,
  bounds: { pages: Number(pages) + 1, bytes: 2 ** 34, every: 3_600_000 },
});

const began = performance.now();
let late = 0;
let last = performance.now();
const beat = setInterval(() => {
  late = Math.max(late, performance.now() - last - 20);
  last = performance.now();
}, 20);
const isRead = (): boolean => {
  const all = knowledge.standings(switched.entries, repo, { surface: "discord", place: "C1" });
  return all.length > 0 && all.every(({ read }) => read !== null);
};
while (!isRead()) await wait(200);
const seconds = (performance.now() - began) / 1_000;
clearInterval(beat);

const conversation = conversationOf("c-bench", { repo });
const searches = Array.from({ length: Number(asked) }, (_, index) => {
  const query = queryOf(((index * 7_919) % Number(issues)) * 10 + 1, 120);
  const start = performance.now();
  knowledge.find(conversation, query);
  return performance.now() - start;
});
const { texts, bytes } = knowledge.figures();
const told: Told = {
  seconds,
  texts,
  memory: process.resourceUsage().maxRSS / 1_024,
  file: bytes / 2 ** 20,
  late,
  searches,
};
process.send?.(told);
await knowledge.close();
process.disconnect();
