/** Doctor tests each source once, even if several channels use it. */

import type { DoctorCore } from "../../feature.ts";
import { switchedOn, userAgentOf } from "./open.ts";
import { createGet, type Get } from "../../../sandbox/egress/get.ts";
import { sourceNameOf, type KnowledgeSource, knowledgeSourcesOf } from "./sources.ts";
import { type Finding, judged } from "../../ports/finding.ts";
import { createForgeReader } from "./forge-reader.ts";
import { createSite } from "./site.ts";

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
    const found = `${sourceNameOf(source)}${why === null ? " can be read" : `: ${why}`}`;
    const remedy =
      "Correct the source or the network (docs/knowledge.md); content that is already indexed remains.";
    yield judged(why === null, "knowledge", found, remedy);
  }
  get.close();
}

const sourcesIn = ({ archives, stored }: Parts): readonly KnowledgeSource[] => {
  const sources = stored(({ chat }) =>
    switchedOn(chat, ({ surface }) => surface).flatMap((one) =>
      knowledgeSourcesOf(one, archives).map(([, source]) => source),
    ),
  );
  return [...new Map(sources?.map((source) => [sourceNameOf(source), source])).values()];
};

/**
 * Tests a source with one or two requests. Null if the source can be read; otherwise one sentence with the reason. Never
 * rejects.
 */
const trySource = async (source: KnowledgeSource, get: Get, signal: AbortSignal): Promise<string | null> => {
  if (source.kind === "threads") return null;
  if (source.kind === "forge") return (await createForgeReader(Date.now)(source, null, signal)).why;
  const site = createSite({
    get,
    readPage: () => Promise.resolve(null),
    waiting: () => ({ pages: [], known: 0 }),
    now: Date.now,
    most: 1,
  });
  const { why } = await site(source.root, null, signal);
  if (why !== null) return why;
  const got = await get({ url: source.root, most: MOST_BYTES, tag: null, signal });
  if (got.kind === "failed") return `${got.why}.`;
  return got.kind === "refused" ? `The source answers with status ${got.status}.` : null;
};

const MOST_BYTES = 2 * 2 ** 20;
