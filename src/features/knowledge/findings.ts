/** What doctor says of what channels know beside their checkouts: each source is asked, once however many channels have it. */

import type { DoctorCore } from "../../feature.ts";
import { switchedOn, userAgentOf } from "./open.ts";
import { createGet } from "./site/get.ts";
import { nameOf, type KnowledgeSource, sourcesOf } from "./sources.ts";
import { trySource } from "./try.ts";
import { type Finding, judged } from "../../ports/finding.ts";

const MOST = 20;
const WHOLE = 60_000;

type Parts = Pick<DoctorCore, "archives" | "stored" | "reach" | "reading">;

export async function* knowledgeFindings(core: Parts): AsyncGenerator<Finding> {
  const all = sourcesIn(core);
  if (all.length === 0) return;
  const get = createGet(core.reach, userAgentOf(core.reading.version));
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
const sourcesIn = ({ archives, stored }: Parts): readonly KnowledgeSource[] => {
  const sources = stored(({ chat }) =>
    switchedOn(chat, ({ surface }) => surface).flatMap((one) =>
      sourcesOf(one, archives).map(([, source]) => source),
    ),
  );
  return [...new Map(sources?.map((source) => [nameOf(source), source])).values()];
};
