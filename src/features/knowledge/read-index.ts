import type { Database } from "better-sqlite3";
import type { Millis } from "../../machine/id.ts";
import type { ArchivedText } from "../../ports/forge-archive.ts";
import { termsOf } from "../../text/terms.ts";

export interface Found extends Required<ArchivedText> {
  readonly source: string;
}

/** A match with its score; a lower score is better. */
interface Weighed extends Omit<Found, "text"> {
  readonly id: number;
  readonly score: number;
}

export interface SourceRow {
  readonly name: string;
  readonly next: string | null;
  /** End of the last whole round, and time of the last complete update; null before. */
  readonly whole: Millis | null;
  readonly read: Millis | null;
  readonly due: Millis;
  readonly texts: number;
  readonly isOpen: boolean;
  readonly why: string | null;
}

export interface PageRow {
  readonly address: string;
  readonly depth: number;
  readonly tag: string | null;
}

export interface IndexReader {
  /** Best matches of the given sources, at most one per thread or page. */
  find(sources: readonly string[], query: string, most: number): readonly Found[];
  /** `none`: none of the sources contains the address. */
  look(sources: readonly string[], address: string, quoted: string): "holds" | "lacks" | "none";
  sources(): readonly SourceRow[];
  /** Time of the last change of each text, by key. */
  keys(source: string): ReadonlyMap<string, Millis>;
  /**
   * Pages of a site that the current round has not requested yet, nearest to the root first; `known`: number of known pages.
   */
  waiting(source: string, most: number): { readonly pages: readonly PageRow[]; readonly known: number };
  bytes(): number;
  close(): void;
}

/** Maximum number of passages that are scored for a query. */
const WEIGHED = 80;
/** Number of passages above which a word is too common to be scored, if the query has rarer words. */
const COMMON = 1_500;
const MOST_TERMS = 16;
/** Words in the title count more. */
const WEIGHTS = "3.0, 1.0";

export const createIndexReader = (db: Database): IndexReader => {
  const count = db
    .prepare<[string, number], number>(
      "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)",
    )
    .pluck();
  const match = db.prepare<[string, string, number], Weighed>(`
    SELECT sources.name AS source, passages.id, key, of, address, passages.title, state, version, at, score
    FROM (
      SELECT words.rowid AS id, bm25(words, ${WEIGHTS}) AS score FROM words
      WHERE words MATCH ? AND words.rowid >> 32 IN (SELECT value FROM json_each(?)) ORDER BY score LIMIT ?
    ) JOIN passages USING (id) JOIN sources ON sources.id = passages.source ORDER BY score`);
  const text = db.prepare<[number], string>("SELECT text FROM passages WHERE id = ?").pluck();
  // An address without a fragment means the whole page.
  const at = db.prepare<[string, string, string, string], { readonly text: string; readonly title: string }>(`
    SELECT passages.text, passages.title FROM passages JOIN sources ON sources.id = passages.source
    WHERE (address = ? OR (address > ? AND address < ?)) AND sources.name IN (SELECT value FROM json_each(?)) ORDER BY key, part LIMIT 200`);
  const ids = db.prepare<[string], number>("SELECT id FROM sources WHERE name = ?").pluck();
  const sources = db.prepare<[], Omit<SourceRow, "isOpen"> & { readonly open: number }>(
    "SELECT name, next, whole, read, due, texts, open, why FROM sources ORDER BY id",
  );
  const keys = db.prepare<[string], { readonly key: string; readonly at: Millis }>(`
    SELECT key, at FROM passages WHERE source = (SELECT id FROM sources WHERE name = ?) AND part = 0`);
  const waiting = db.prepare<[string, number], PageRow>(`
    SELECT address, depth, tag FROM pages JOIN sources ON sources.id = pages.source
    WHERE name = ? AND done < sources.round ORDER BY depth, address LIMIT ?`);
  const known = db
    .prepare<[string], number>(
      "SELECT count(*) FROM pages JOIN sources ON sources.id = pages.source WHERE name = ?",
    )
    .pluck();

  /** Matches any of the rare words, or the first two words if all are common. */
  const queryOf = (query: string): string | null => {
    const terms = termsOf(query).map((term) => `"${term}"`);
    if (terms.length === 0) return null;
    const telling = terms
      .map((term) => ({ term, found: count.get(term, COMMON) ?? 0 }))
      .filter(({ found }) => found > 0 && found < COMMON)
      .toSorted((a, b) => a.found - b.found)
      .slice(0, MOST_TERMS)
      .map(({ term }) => term);
    return (telling.length === 0 ? terms.slice(0, 2) : telling).join(" OR ");
  };

  return {
    find: (names, query, most) => {
      const wanted = queryOf(query);
      if (wanted === null || names.length === 0) return [];
      const among = names.flatMap((name) => ids.get(name) ?? []);
      const rows = match.all(wanted, JSON.stringify(among), WEIGHED);
      return gathered(rows)
        .slice(0, most)
        .map(({ id, ...found }) => ({ ...found, text: text.get(id) ?? "" }));
    },
    look: (names, address, quoted) => {
      const rows = at.all(address, `${address}#`, `${address}$`, JSON.stringify(names));
      if (rows.length === 0) return "none";
      if (quoted === "") return "holds";
      const whole = rows.map(({ text }) => text).join("\n");
      return contains(whole, quoted) || contains(rows[0]?.title ?? "", quoted) ? "holds" : "lacks";
    },
    sources: () => sources.all().map(({ open, ...row }) => ({ ...row, isOpen: open === 1 })),
    keys: (name) => new Map(keys.all(name).map((row) => [row.key, row.at])),
    waiting: (name, most) => ({ pages: waiting.all(name, most), known: known.get(name) ?? 0 }),
    bytes: () =>
      Number(db.pragma("page_count", { simple: true })) * Number(db.pragma("page_size", { simple: true })),
    close: () => db.close(),
  };
};

/** Weight of the further passages of a thread or page. */
const FURTHER = 0.25;
const MOST_FURTHER = 3;

/**
 * Combines the passages of each thread or page. The best passage represents the group; further matches improve the group's
 * score.
 */
const gathered = (rows: readonly Weighed[]): readonly Weighed[] => {
  const threads = Map.groupBy(rows, ({ source, key, of }) => `${source} ${of ?? pageOf(key)}`);
  return [...threads.values()]
    .flatMap((group) => {
      const [best, ...others] = group;
      const more = others.slice(0, MOST_FURTHER).reduce((sum, { score }) => sum + score, 0);
      return best === undefined ? [] : [{ best, score: best.score + more * FURTHER }];
    })
    .toSorted((a, b) => a.score - b.score)
    .map(({ best }) => best);
};

/** Keys of page sections consist of the page's address, a blank, and a number; other keys do not start with an address. */
const pageOf = (key: string): string => (key.startsWith("http") ? key.slice(0, key.indexOf(" ")) : key);

/** Whether a text contains the quoted words; blanks, case and Markdown characters are ignored. */
export const contains = (text: string, quoted: string): boolean => {
  const words = folded(quoted);
  return words !== "" && folded(text).includes(words);
};

const folded = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[`*_~\\"'“”‘’„«»]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
