/** What the thread of the index does (writer.ts), and what it answers. */

import { isDamage, makeAnew, openForWriting } from "./schema.ts";
import { type PageRead, type PageSource, readPage } from "./site/page.ts";
import { createIndexWriter, type Step } from "./write-index.ts";

export type Job =
  | { readonly kind: "keep"; readonly names: readonly string[] }
  | { readonly kind: "begin"; readonly source: string; readonly whole: boolean }
  | { readonly kind: "renew"; readonly source: string }
  | { readonly kind: "take"; readonly step: Step }
  | { readonly kind: "rebuild" }
  | { readonly kind: "page"; readonly page: PageSource };

export type JobAnswer =
  | { readonly kind: "done" }
  | { readonly kind: "page"; readonly page: PageRead }
  /** The file was damaged: there is an empty one in its place. */
  | { readonly kind: "rebuilt" }
  | { readonly kind: "failed"; readonly why: string };

/** `name`: of the file. */
export const createJobs = (name: string): ((job: Job) => JobAnswer) => {
  let db = openForWriting(name);
  let writer = createIndexWriter(db);
  const write = (job: Exclude<Job, { readonly kind: "page" | "rebuild" }>): void => {
    switch (job.kind) {
      case "keep":
        return writer.keep(job.names);
      case "begin":
        return writer.begin(job.source, job.whole);
      case "renew":
        return writer.renew(job.source);
      case "take":
        return writer.take(job.step);
    }
  };
  const rebuild = (): JobAnswer => {
    db.close();
    db = makeAnew(name);
    writer = createIndexWriter(db);
    return { kind: "rebuilt" };
  };
  return (job) => {
    try {
      if (job.kind === "rebuild") return rebuild();
      if (job.kind === "page") return { kind: "page", page: readPage(job.page) };
      write(job);
      return { kind: "done" };
    } catch (error) {
      return isDamage(error)
        ? rebuild()
        : { kind: "failed", why: error instanceof Error ? error.message : String(error) };
    }
  };
};
