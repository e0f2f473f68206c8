import type { Database } from "better-sqlite3";
import { isDamage, recreateIndex, openIndexForWriting } from "./schema.ts";
import { type PageRead, readPage } from "../../../adapters/text/page.ts";
import type { PageSource } from "../../../adapters/text/page-source.ts";
import { createIndexWriter, type IndexWriter } from "./write-index.ts";

type Write = {
  readonly [Verb in keyof IndexWriter]: {
    readonly kind: Verb;
    readonly given: Parameters<IndexWriter[Verb]>;
  };
}[keyof IndexWriter];

export type IndexJob =
  | Write
  | { readonly kind: "rebuild" }
  | { readonly kind: "page"; readonly page: PageSource };

export type JobAnswer =
  | { readonly kind: "done" }
  | { readonly kind: "page"; readonly page: PageRead }
  /** The file was damaged and has been replaced by an empty one. */
  | { readonly kind: "rebuilt" }
  | { readonly kind: "failed"; readonly why: string };

/**
 * Whether the job deletes texts. Texts are deleted when a round ends, when a source is removed, and when messages of a thread
 * are erased.
 */
const drops = (job: Write): boolean =>
  job.kind === "keep" ||
  (job.kind === "take" &&
    job.given.some(({ gone, ended }) => (gone ?? []).length > 0 || ended !== undefined));

/**
 * Truncates the write-ahead log, which would keep deleted texts. A reader can prevent the truncation, but the next attempt
 * follows soon.
 */
const vacate = (db: Database): void => {
  db.pragma("wal_checkpoint(TRUNCATE)");
};

export const createJobs = (name: string): ((job: IndexJob) => JobAnswer) => {
  let db = openIndexForWriting(name);
  let writer = createIndexWriter(db);
  const rebuild = (): JobAnswer => {
    db.close();
    db = recreateIndex(name);
    writer = createIndexWriter(db);
    return { kind: "rebuilt" };
  };
  return (job) => {
    try {
      if (job.kind === "rebuild") return rebuild();
      if (job.kind === "page") return { kind: "page", page: readPage(job.page) };
      Reflect.apply(writer[job.kind], writer, job.given);
      if (drops(job)) vacate(db);
      return { kind: "done" };
    } catch (error) {
      return isDamage(error)
        ? rebuild()
        : { kind: "failed", why: error instanceof Error ? error.message : String(error) };
    }
  };
};
