import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Reach } from "../../../sandbox/egress/reach.ts";
import { type Archives, FORGE_SOURCE_KINDS, THREAD_ARCHIVE } from "../../ports/forge-archive.ts";
import type { ConversationId } from "../../machine/id.ts";
import type { ChannelAddress } from "../../ports/channels.ts";
import type { RepositoryBinding, Conversation } from "../../ports/conversation.ts";
import type { Clock, Log } from "../../ports/host.ts";
import type { ChannelKnowledge } from "../../ports/knowledge.ts";
import type { SolvedThreads } from "./threads.ts";
import type { Citation, ParsedCitation } from "../../text/citation.ts";
import { createForgeReader } from "./forge-reader.ts";
import { createIndexUpdater } from "./index-updater.ts";
import type { KnowledgeBook, KnowledgeFound, KnowledgeHit, KnowledgeReader, SourceStatus } from "./ports.ts";
import { createIndexReader, type Found, type IndexReader } from "./read-index.ts";
import { isDamage, openForReading } from "./schema.ts";
import { createGet } from "../../../sandbox/egress/get.ts";
import { createSolvedThreadReader } from "./solved-thread-reader.ts";
import { createSite, type SiteStep } from "./site.ts";
import {
  archivesOf,
  forgeSourceKindOf,
  sourceNameOf,
  scopeOf,
  siteOf,
  type KnowledgeSource,
  knowledgeSourcesOf,
  type Switched,
} from "./sources.ts";
import { termsOf } from "../../text/terms.ts";
import { excerptOf } from "./excerpt.ts";
import { createWriter } from "./writer.ts";

export interface KnowledgeDeps {
  readonly directory: string;
  readonly archives: Archives;
  readonly reach: Reach;
  readonly userAgent: string;
  readonly channels: () => readonly Switched[];
  readonly channelOf: (conversation: Pick<Conversation, "id" | "surface" | "repo">) => Switched;
  readonly threads: SolvedThreads;
  /** Called when a source was read to its end. */
  readonly read?: () => void;
  readonly clock: Clock;
  readonly log: Log;
  /** Limits: pages per site, bytes of the file, and milliseconds between two rounds. */
  readonly bounds: { readonly pages: number; readonly bytes: number; readonly every: number };
}

export interface Knowledge extends ChannelKnowledge, KnowledgeReader, KnowledgeBook {
  /** After an event in a conversation, updates the index if the conversation's thread is listed as solved. */
  heard(id: ConversationId): void;
  /** Stops reading sources; the index can still be searched. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

const HITS = 8;
const EXCERPT = 1_200;
const SHORT = 300;

export const createKnowledge = (deps: KnowledgeDeps): Knowledge => {
  const { directory, archives, reach, userAgent, channels, channelOf, threads, clock, log, bounds } = deps;
  const file = join(directory, "knowledge.sqlite");
  const writer = createWriter(file);
  let opened: IndexReader | null = null;
  const reader = (): IndexReader => (opened ??= createIndexReader(openForReading(file)));
  const rebuilt = (): void => {
    opened?.close();
    opened = null;
  };
  const get = createGet(reach, userAgent);
  const site = createSite({
    get,
    readPage: async (page) => {
      const read = await writer.run({ kind: "page", page });
      return read.kind === "page" ? read.page : null;
    },
    waiting: (source, most) => reader().waiting(source, most),
    now: clock.now,
    most: bounds.pages,
  });
  const forge = createForgeReader(clock.now);
  /** Conversations whose threads are in the index or were in the index since the start. */
  const held = new Set<string>();
  const own = createSolvedThreadReader({
    threads,
    held: (community) => reader().keys(sourceNameOf({ kind: "threads", community })),
    seen: (key) => void held.add(key),
    now: clock.now,
  });
  const look = (source: KnowledgeSource, next: string | null, signal: AbortSignal): Promise<SiteStep> => {
    switch (source.kind) {
      case "site":
        return site(source.root, next, signal);
      case "forge":
        return forge(source, next, signal);
      case "threads":
        return own(source.community, next);
    }
  };

  const switchedAt = (
    entries: readonly string[],
    repo: RepositoryBinding | null,
    at: ChannelAddress,
  ): Switched => ({
    entries,
    repo,
    community: threads.communityOf(at),
  });

  const sourcesIn = (switched: Switched): readonly KnowledgeSource[] =>
    knowledgeSourcesOf(switched, archives).map(([, source]) => source);
  const wanted = (): readonly KnowledgeSource[] => channels().flatMap(sourcesIn);

  const keeper = createIndexUpdater({
    writer,
    reader,
    rebuilt,
    exists: () => existsSync(file),
    wanted,
    look,
    read: () => deps.read?.(),
    clock,
    log,
    every: bounds.every,
    most: bounds.bytes,
  });

  const threadsChanged = (): void => {
    const names = wanted().flatMap((source) => (source.kind === "threads" ? [sourceNameOf(source)] : []));
    if (names.length > 0) void keeper.renew([...new Set(names)]);
  };
  // Finds threads that were erased while the previous process was ending.
  threadsChanged();

  /** Returns `otherwise` if the index is damaged; the index is then rebuilt in the background. */
  const guarded = <T>(read: () => T, otherwise: T): T => {
    if (!existsSync(file)) return otherwise;
    try {
      return read();
    } catch (error) {
      log.warn("knowledge: index not read", {
        error: error instanceof Error ? error.message : "",
      });
      rebuilt();
      if (isDamage(error)) keeper.damaged();
      return otherwise;
    }
  };

  return {
    find: (conversation, query) => {
      const names = sourcesIn(channelOf(conversation)).map(sourceNameOf);
      if (names.length === 0) return { kind: "trouble", why: NOTHING };
      return guarded((): KnowledgeFound => {
        const { sources, find } = reader();
        const terms = termsOf(query);
        const unread = sources().filter(({ name, read }) => read === null && names.includes(name));
        return {
          kind: "found",
          hits: find(names, query, HITS).map((found) => hitOf(found, terms)),
          reading: unread.map(({ name }) => name),
        };
      }, DAMAGED);
    },
    near: ({ entries, repo, ...at }, query, most) => {
      const names = sourcesIn(switchedAt(entries, repo, at)).map(sourceNameOf);
      if (names.length === 0) return [];
      return guarded(() => {
        const terms = termsOf(query);
        return reader()
          .find(names, query, most)
          .map(({ title, address, text }) => ({ title, address, excerpt: excerptOf(text, terms, SHORT) }));
      }, []);
    },
    check: (conversation, cited) => {
      if (cited.length === 0) return [];
      const sources = sourcesIn(channelOf(conversation));
      const names = sources.map(sourceNameOf);
      return guarded(
        () =>
          cited.flatMap((one) => {
            const address = URL.parse(one.path)?.href ?? one.path;
            const held = reader().look(names, address, one.quote ?? "");
            const isOurs = held !== "none" || sources.some((source) => isWithin(source, address));
            return isOurs ? [judged(one, held === "holds" ? "found" : "missing")] : [];
          }),
        [],
      );
    },
    stands: (conversation, cited) => {
      const sources = sourcesIn(channelOf(conversation));
      const names = sources.map(sourceNameOf);
      return guarded(
        () => {
          const rows = reader().sources();
          const read = new Set(rows.flatMap((row) => (row.read === null ? [] : [row.name])));
          return cited.map(({ path, quote = "" }) => {
            const address = URL.parse(path)?.href ?? path;
            if (reader().look(names, address, quote) === "holds") return "holds";
            const own = sources.filter((source) => isWithin(source, address));
            return own.length > 0 && own.every((source) => read.has(sourceNameOf(source)))
              ? "gone"
              : "unknown";
          });
        },
        cited.map(() => "unknown" as const),
      );
    },
    entry: (typed, repo) => {
      if (typed.toLowerCase() === THREAD_ARCHIVE) return { kind: "entry", entry: THREAD_ARCHIVE };
      const what = forgeSourceKindOf(typed.toLowerCase());
      if (what === null) {
        const root = siteOf(typed);
        return root === null ? { kind: "refused", why: UNKNOWN } : { kind: "entry", entry: root.href };
      }
      const known = archivesOf(repo, archives);
      const lacking = known.map((archive) => archive.lacks(what));
      if (lacking.includes(null)) return { kind: "entry", entry: what };
      return { kind: "refused", why: lacking[0] ?? NO_FORGE };
    },
    standings: (entries, repo, at) => {
      // Enabled sources are listed even before the index exists and while it is rebuilt.
      const rows = new Map(guarded(() => reader().sources(), []).map((row) => [row.name, row]));
      const known = knowledgeSourcesOf(switchedAt(entries, repo, at), archives);
      return entries.flatMap((entry): readonly SourceStatus[] => {
        const names = known.filter(([one]) => one === entry).map(([, source]) => sourceNameOf(source));
        if (names.length === 0) return [{ entry, texts: 0, read: null, reading: false, why: NO_FORGE }];
        return names.map((name) => {
          const row = rows.get(name);
          return {
            entry: names.length === 1 ? entry : name,
            texts: row?.texts ?? 0,
            read: row?.read ?? null,
            reading: row?.isOpen === true,
            why: row?.why ?? null,
          };
        });
      });
    },
    changed: keeper.changed,
    refresh: (entries, repo, at) => keeper.renew(sourcesIn(switchedAt(entries, repo, at)).map(sourceNameOf)),
    threadsChanged,
    heard: (id) => {
      if (held.has(id)) threadsChanged();
    },
    figures: () =>
      guarded(() => {
        const rows = reader().sources();
        return {
          sources: rows.length,
          texts: rows.reduce((sum, { texts }) => sum + texts, 0),
          failing: rows.filter(({ why }) => why !== null).length,
          bytes: reader().bytes(),
        };
      }, NO_FIGURES),
    leave: keeper.close,
    close: async () => {
      await keeper.close();
      await writer.close();
      rebuilt();
      get.close();
    },
  };
};

/** Whether the address could belong to the source, even if nothing exists there. */
const isWithin = (source: KnowledgeSource, address: string): boolean => {
  if (source.kind === "site") return address.startsWith(scopeOf(source.root));
  // The address of a solved thread looks like the address of any other message.
  if (source.kind === "threads") return false;
  return source.archive.holds(source.what, address);
};

const judged = ({ path, from, to, quote = "" }: ParsedCitation, status: Citation["status"]): Citation => {
  return { path, from, to, quote, status, file: null };
};

const hitOf = (found: Found, terms: readonly string[]): KnowledgeHit => {
  const { source, address, title, state, version, at, text } = found;
  return { source, address, title, state, version, at, excerpt: excerptOf(text, terms, EXCERPT) };
};

const NOTHING =
  "This channel has no knowledge beside its checkout. People who may approve can add some: `/parley knowledge add issues`, or the address of a documentation site.";
const DAMAGED: KnowledgeFound = {
  kind: "trouble",
  why: "The index of this channel's knowledge is being built; try again in some minutes, or answer from the checkout.",
};
const UNKNOWN = `Name one of ${[...FORGE_SOURCE_KINDS, THREAD_ARCHIVE].join(", ")}, or the address of a documentation site that begins with https://.`;
const NO_FORGE =
  "This channel's repository is on no forge that Parley knows: only documentation sites can be added.";
const NO_FIGURES = { sources: 0, texts: 0, failing: 0, bytes: 0 };
