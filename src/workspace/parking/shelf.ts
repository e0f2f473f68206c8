/**
 * Archives of checkouts where all hosts find them: objects below `checkouts/CONVERSATION/NAME/`. One counts from its mark on,
 * which is put last, and twice: it takes more than one lost object to lose an archive without a word.
 */

import { createHash, type Hash } from "node:crypto";
import { rm } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { z } from "zod";
import type { ConversationId } from "../../machine/id.ts";
import type { Log, WriteFailure } from "../../ports/host.ts";
import type { Bytes, Objects } from "../../ports/store.ts";
import { jsonIn } from "../../text/json.ts";
import { InTheWay } from "../run/git-trouble.ts";
import { writeStream } from "./archive.ts";

const schema = z.object({
  /** What it holds: a checkout, a draft. */
  own: z.boolean(),
  draft: z.boolean(),
  /** SHA-256 of each of its files. */
  files: z.record(z.string(), z.string()).default({}),
  /** The archive that has the files, where this one only says who has the checkout. */
  of: z.string().exactOptional(),
});
export type ArchiveMark = Readonly<z.output<typeof schema>>;

/** Of a mark that was lost nobody knows what it said. */
const LOST: ArchiveMark = { own: true, draft: false, files: {} };

/** Throws what is in the way. */
export const createSharedArchives = (objects: Objects, log: Log) => {
  const unless = ({ code, message }: WriteFailure): never => {
    log.warn("what hosts share cannot be used", { why: message });
    throw new InTheWay(code === "disk_full" ? { kind: "noSpace" } : { kind: "shared" });
  };
  const list = async (prefix: string): Promise<readonly (readonly string[])[]> => {
    const listed = await objects.list(prefix);
    return listed.kind === "failed" ? unless(listed) : listed.names.map((name) => name.split("/"));
  };
  const put = async (id: ConversationId, name: string, file: string, bytes: Bytes): Promise<string> => {
    const hash = createHash("sha256");
    const done = await objects.put(nameOf(id, name, file), through(hash, bytes));
    return done.kind === "failed" ? unless(done) : hash.digest("hex");
  };

  return {
    /** Those that count, oldest first. */
    names: async (id: ConversationId): Promise<readonly string[]> => {
      const found = await list(nameOf(id, ""));
      const marked = found.flatMap(([, , name = "", file = ""]) => (MARKS.includes(file) ? [name] : []));
      return [...new Set(marked)].filter((name) => NAME.test(name)).toSorted();
    },
    /** Answers the SHA-256 of what was put. */
    put,
    /** Makes it count: from then on what was before it is rubbish. */
    mark: async (id: ConversationId, name: string, mark: ArchiveMark): Promise<void> => {
      for (const file of MARKS) await put(id, name, file, [Buffer.from(JSON.stringify(mark))]);
      // What stays because of a failure goes with a later one.
      const listed = await objects.list(nameOf(id, ""));
      const all = listed.kind === "failed" ? [] : listed.names.map((one) => one.split("/")[2] ?? "");
      for (const one of new Set(all))
        if (one < name && one !== mark.of) await objects.remove(nameOf(id, one, ""));
    },
    read: async (id: ConversationId, name: string): Promise<ArchiveMark> => {
      for (const file of MARKS) {
        let said = "";
        const got = await objects.get(nameOf(id, name, file), async (bytes) => {
          said = await text(bytes);
        });
        if (got.kind === "failed") unless(got);
        const { data } = schema.safeParse(jsonIn(said));
        if (data !== undefined) return data;
      }
      return LOST;
    },
    /** A file that was lost or damaged is not there then. */
    get: async (id: ConversationId, name: string, file: string, to: string, hash?: string): Promise<void> => {
      let is = "";
      const got = await objects.get(nameOf(id, name, file), async (bytes) => {
        const read = createHash("sha256");
        await writeStream(through(read, bytes), to);
        is = read.digest("hex");
      });
      if (got.kind === "failed") unless(got);
      if (got.kind === "got" && hash !== undefined && is !== hash) await rm(to);
    },
    /** All of those conversations. */
    remove: async (id: ConversationId, isOf: (one: string) => boolean): Promise<void> => {
      const ids = new Set((await list(`checkouts/${id}`)).map(([, one = ""]) => one));
      for (const one of ids) {
        const gone = isOf(one) ? await objects.remove(nameOf(one, "")) : null;
        if (gone?.kind === "failed") unless(gone);
      }
    },
  };
};

const MARKS = ["what.json", "what-again.json"];
const NAME = /^\d{12}-\d{8}(?:\.\d+)?$/;

const nameOf = (id: string, ...parts: readonly string[]): string => ["checkouts", id, ...parts].join("/");

async function* through(hash: Hash, bytes: Bytes): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}
