/** Texts and progress are written in one transaction, so that a killed process continues at the right place. */

import type { Database } from "better-sqlite3";
import type { Millis } from "../../machine/id.ts";
import type { ArchivedText } from "../../ports/forge-archive.ts";
import { toIndexText } from "../../text/terms.ts";

/** A page that waits to be read, with its number of links from the root. */
export interface WaitingPage {
  readonly address: string;
  readonly depth: number;
}

export interface ReadPage {
  readonly address: string;
  /**
   * `same`: the stored passages stay. `gone`: the passages are deleted. `failed`: the passages stay until the page can be read.
   */
  readonly outcome: "new" | "same" | "gone" | "failed";
  readonly tag: string | null;
}

/** Result of one step for a source. Absent fields stay unchanged. */
export interface SourceUpdate {
  readonly source: string;
  readonly leaves?: readonly ArchivedText[];
  /** Keys of texts that no longer exist. */
  readonly gone?: readonly string[];
  readonly found?: readonly WaitingPage[];
  readonly mostPages?: number;
  readonly pages?: readonly ReadPage[];
  readonly next?: string;
  /** Time when the round ended; absent if it continues. */
  readonly ended?: Millis;
  /** Present if the round ended early: texts that the round did not reach may still exist. */
  readonly isPartial?: true;
  readonly due: Millis;
  readonly why: string | null;
}

export interface IndexWriter {
  /** Deletes all other sources. */
  keep(names: readonly string[]): void;
  begin(source: string, whole: boolean): void;
  /** Makes a whole round due immediately. */
  renew(source: string): void;
  take(step: SourceUpdate): void;
}

export const createIndexWriter = (db: Database): IndexWriter => {
  db.function("for_index", { deterministic: true }, (text) => toIndexText(String(text)));
  // Updates the search index only for changed texts; unchanged texts only get the new round number.
  db.exec(`
    CREATE TEMP TRIGGER words_added AFTER INSERT ON passages BEGIN ${ADD_WORDS} END;
    CREATE TEMP TRIGGER words_dropped AFTER DELETE ON passages BEGIN ${DROP_WORDS} END;
    CREATE TEMP TRIGGER words_changed AFTER UPDATE OF title, text ON passages
      WHEN NEW.title <> OLD.title OR NEW.text <> OLD.text BEGIN ${DROP_WORDS} ${ADD_WORDS} END`);
  const idOf = db.prepare<[string], { id: number; round: number; sweeping: number }>(
    "SELECT id, round, sweeping FROM sources WHERE name = ?",
  );
  const addSource = db.prepare(
    "INSERT INTO sources (name, round, open, sweeping, due) VALUES (?, 0, 0, 0, 0) ON CONFLICT DO NOTHING",
  );
  const others = "(SELECT id FROM sources WHERE name NOT IN (SELECT value FROM json_each(?)))";
  const dropOthers = ["passages WHERE source", "pages WHERE source", "sources WHERE id"].map((which) =>
    db.prepare(`DELETE FROM ${which} IN ${others}`),
  );
  const dropParts = db.prepare("DELETE FROM passages WHERE source = ? AND key = ? AND part >= ?");
  const dropUnseen = db.prepare("DELETE FROM passages WHERE source = ? AND round < ?");
  const parent = db.prepare<[number, string], { title: string; state: string | null }>(
    "SELECT title, state FROM passages WHERE source = ? AND key = ? AND part = 0",
  );
  const putPart = db.prepare(`
    INSERT INTO passages (id, source, key, part, of, address, title, text, state, version, at, round)
    VALUES (
      (SELECT coalesce(max(id), @source << 32) + 1 FROM passages WHERE id >= @source << 32 AND id < (@source + 1) << 32),
      @source, @key, @part, @of, @address, @title, @text, @state, @version, @at, @round)
    ON CONFLICT (source, key, part) DO UPDATE SET of = @of, address = @address, title = @title, text = @text,
      state = @state, version = @version, at = @at, round = @round`);
  const nameChildren = db.prepare(`
    UPDATE passages SET title = @title, state = @state
    WHERE source = @source AND of = @key AND (title <> @title OR state IS NOT @state)`);
  const advance = db.prepare(
    "UPDATE sources SET next = coalesce(@next, next), due = @due, why = @why WHERE id = @id",
  );
  const finish = db.prepare(
    "UPDATE sources SET read = @at, whole = iif(sweeping, @at, whole), open = 0, sweeping = 0 WHERE id = @id",
  );
  const abandon = db.prepare("UPDATE sources SET open = 0, sweeping = 0, whole = NULL WHERE id = @id");
  const beginRound = db.prepare(`
    UPDATE sources SET round = round + 1, open = 1, sweeping = @sweeping, next = iif(@sweeping, NULL, next)
    WHERE name = @source`);
  const renewSource = db.prepare(
    "UPDATE sources SET due = 0, open = 0, whole = NULL, why = NULL WHERE name = ?",
  );
  const wait = db.prepare(`
    INSERT INTO pages (source, address, depth, done, gone) VALUES (@source, @address, @depth, 0, 0)
    ON CONFLICT DO UPDATE SET depth = min(depth, excluded.depth)`);
  const knownPage = db.prepare("SELECT 1 FROM pages WHERE source = ? AND address = ?");
  const countPages = db.prepare<[number], number>("SELECT count(*) FROM pages WHERE source = ?").pluck();
  const done = db.prepare(
    "UPDATE pages SET done = @round, tag = @tag, gone = @gone WHERE source = @source AND address = @address",
  );
  const samePage = db.prepare(
    "UPDATE passages SET round = @round WHERE source = @source AND key >= @from AND key < @to",
  );
  const dropPage = db.prepare("DELETE FROM passages WHERE source = ? AND key >= ? AND key < ? AND round < ?");
  const dropGonePages = db.prepare("DELETE FROM pages WHERE source = ? AND gone = 1");

  /** Answers and comments get the title and state of their parent text. */
  const put = (source: number, round: number, leaf: ArchivedText): void => {
    const { key, of = null, address, version = null, at } = leaf;
    const above = of === null ? null : (parent.get(source, of) ?? null);
    const { title, state = null } = above ?? leaf;
    const parts = indexPartsOf(leaf.text);
    for (const [part, text] of parts.entries())
      putPart.run({ source, key, part, of, address, title, text, state, version, at, round });
    dropParts.run(source, key, parts.length);
    if (of === null) nameChildren.run({ source, key, title, state });
  };

  const settle = (source: number, round: number, page: ReadPage): void => {
    const [from, to] = [`${page.address} `, `${page.address} \u{10ffff}`];
    if (page.outcome === "same" || page.outcome === "failed") samePage.run({ source, round, from, to });
    else dropPage.run(source, from, to, round);
    const gone = page.outcome === "gone" ? 1 : 0;
    done.run({ source, address: page.address, round, tag: page.tag, gone });
  };

  const discover = (source: number, pages: readonly WaitingPage[], most: number): void => {
    let room = most - (countPages.get(source) ?? 0);
    for (const page of pages) {
      const isKnown = knownPage.get(source, page.address) !== undefined;
      if (!isKnown && room <= 0) continue;
      if (!isKnown) room -= 1;
      wait.run({ ...page, source });
    }
  };

  const take = db.transaction((step: SourceUpdate): void => {
    const row = idOf.get(step.source);
    if (row === undefined) return;
    const { id, round, sweeping } = row;
    for (const key of step.gone ?? []) dropParts.run(id, key, 0);
    for (const leaf of step.leaves ?? []) put(id, round, leaf);
    if (step.found !== undefined) discover(id, step.found, step.mostPages ?? 0);
    for (const page of step.pages ?? []) settle(id, round, page);
    advance.run({ id, next: step.next ?? null, due: step.due, why: step.why });
    if (step.ended === undefined) return;
    if (step.isPartial === true) {
      abandon.run({ id });
      return;
    }
    if (sweeping === 1) {
      dropUnseen.run(id, round);
      dropGonePages.run(id);
    }
    finish.run({ id, at: step.ended });
  });

  return {
    take,
    keep: db.transaction((wanted: readonly string[]) => {
      for (const drop of dropOthers) drop.run(JSON.stringify(wanted));
      for (const name of wanted) addSource.run(name);
    }),
    begin: (source, whole) => beginRound.run({ source, sweeping: whole ? 1 : 0 }),
    renew: (source) => renewSource.run(source),
  };
};

const ADD_WORDS =
  "INSERT INTO words (rowid, title, text) VALUES (NEW.id, for_index(NEW.title), for_index(NEW.text));";
const DROP_WORDS = "DELETE FROM words WHERE rowid = OLD.id;";

/** The rest of a longer text cannot be found. */
const LONGEST = 4_000;
const MOST_PARTS = 12;

/**
 * Splits a text into parts that can be found and quoted separately. Pure. Returns at least one part; cuts between lines if a
 * line ends in the second half.
 */
export const indexPartsOf = (text: string): readonly string[] => {
  const parts: string[] = [];
  let rest = text.toWellFormed().trim();
  while (rest.length > LONGEST && parts.length < MOST_PARTS - 1) {
    const line = rest.lastIndexOf("\n", LONGEST);
    const end = line > LONGEST / 2 ? line : LONGEST;
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...parts, rest.slice(0, LONGEST)].map((part) => part.toWellFormed());
};
