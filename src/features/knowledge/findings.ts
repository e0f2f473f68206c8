/** What doctor says of what channels know beside their checkouts: each source is asked, once however many channels have it. */

import { switchedOn, USER_AGENT } from "../../knowledge/open-knowledge.ts";
import { reachOf } from "../../outward.ts";
import type { Config } from "../../settings/config.ts";
import { createGet } from "../../../knowledge/site/get.ts";
import { nameOf, type Source, sourcesOf } from "../../../knowledge/sources.ts";
import { trySource } from "../../../knowledge/try.ts";
import type { Archives } from "../../../ports/knowledge/archive.ts";
import { type Finding, judged } from "../../../ports/finding.ts";
import { readStored } from "../with-stored.ts";

const MOST = 20;
const WHOLE = 60_000;

type Known = Pick<Config, "PARLEY_DATA"> & Parameters<typeof reachOf>[0];

export async function* knowledgeFindings(config: Known, archives: Archives): AsyncGenerator<Finding> {
  const all = sourcesIn(config.PARLEY_DATA, archives);
  if (all.length === 0) return;
  const get = createGet(reachOf(config), USER_AGENT);
  const ending = AbortSignal.timeout(WHOLE);
  for (const source of all.slice(0, MOST)) {
    if (ending.aborted) break;
    const why = await trySource(source, get, ending);
    const found = `${nameOf(source)}${why === null ? " can be read" : `: ${why}`}`;
    const remedy = "What is known of it stays; docs/knowledge.md says what it needs.";
    yield judged(why === null, "knowledge", found, remedy);
  }
  get.close();
}

/** What channels have switched on. */
const sourcesIn = (directory: string, archives: Archives): readonly Source[] => {
  const sources = readStored(directory, ({ chat }) =>
    switchedOn(chat, ({ surface }) => surface).flatMap((one) =>
      sourcesOf(one, archives).map(([, source]) => source),
    ),
  );
  return [...new Map(sources?.map((source) => [nameOf(source), source])).values()];
};
