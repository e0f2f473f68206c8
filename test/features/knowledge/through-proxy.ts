/**
 * A process that reads a site and the issues of repositories as the host does. Its settings are those of its environment and
 * of `.env` in its folder. Prints the addresses of the texts that hold "walrus".
 */

import { readFeatures } from "../../../src/app/features/open.ts";
import { readingWith, reachOf } from "../../../src/app/outward.ts";
import { createKnowledgeOf } from "../../../src/features/knowledge/open.ts";
import { knowledgeSettings } from "../../../src/features/knowledge/settings.ts";
import { useOutgoingProxy } from "../../../src/app/process/outgoing-proxy.ts";
import { readConfig } from "../../../src/app/settings/config.ts";
import type { ChannelSettings } from "../../../src/ports/channels.ts";
import type { Repo } from "../../../src/ports/conversation.ts";
import { conversationOf } from "../../store/plain.ts";

const [site = "", ...locations] = process.argv.slice(2);
const read = readConfig(process.env, process.cwd());
if (read.kind === "invalid") throw new Error(read.problems.join("\n"));
const { config } = read;
useOutgoingProxy(config);
const files = await readFeatures(config.features, readingWith(config));
if (files.kind === "invalid") throw new Error(files.problems.join("\n"));

const rows = locations.map((location) => {
  const repo: Repo = { kind: "url", location };
  return { surface: "discord", place: location, repo };
});
const by = "discord:U1";
const settings: ChannelSettings = {
  mode: null,
  model: null,
  approvers: [],
  servers: [],
  knowledge: [site, "issues"],
  language: null,
  review: null,
  quiet: null,
  links: false,
  by,
  at: 1,
};
const ended = Promise.withResolvers<void>();
let unread = 1 + rows.length;
const knowledge = createKnowledgeOf(
  knowledgeSettings.parse({}),
  {
    archives: files.forge.archives,
    data: config.PARLEY_DATA,
    reach: reachOf(config),
    version: "0",
    chat: {
      channels: () => rows,
      channel: () => settings,
      binding: (_, place) => {
        const row = rows.find((one) => one.place === place);
        return row === undefined ? null : { repo: row.repo, by, at: 1 };
      },
    },
    ledger: { thread: () => null },
    pagesRead: () => {
      unread -= 1;
      if (unread === 0) ended.resolve();
    },
    clock: {
      now: Date.now,
      // Nobody waits for the second after which the first look begins.
      after: (delay, fire) => {
        const timer = setTimeout(fire, Math.min(delay, 20));
        return () => clearTimeout(timer);
      },
    },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  },
  {
    communityOf: ({ surface }) => surface,
    standing: () => Promise.resolve([]),
    read: () => Promise.resolve(null),
  },
);
// What cannot be read is missing in what is printed.
setTimeout(ended.resolve, 10_000);
await ended.promise;

const found = rows.flatMap(({ repo }) => {
  const answer = knowledge.find(conversationOf("c-1", { repo }), "walrus");
  return answer.kind === "found" ? answer.hits.map(({ address }) => address) : [answer.why];
});
console.log(JSON.stringify([...new Set(found)].toSorted()));
process.exit(0);
