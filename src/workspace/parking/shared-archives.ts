/** An archive counts once its mark exists. The mark is written last and twice, so that losing one object hides no archive. */

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
  own: z.boolean(),
  draft: z.boolean(),
  /** SHA-256 of each file. */
  files: z.record(z.string(), z.string()).default({}),
  /** Archive with the files, if this archive only names the host that owns the checkout. */
  of: z.string().exactOptional(),
});
export type ArchiveMark = Readonly<z.output<typeof schema>>;

/** Used for a lost mark, whose content is unknown. */
const LOST: ArchiveMark = { own: true, draft: false, files: {} };

/** Every method throws the trouble as `InTheWay`. */
export const createSharedArchives = (objects: Objects, log: Log) => {
  const unless = ({ code, message }: WriteFailure): never => {
    log.warn("parking: shared storage not available", { why: message });
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
    /** Names of the archives that count, oldest first. */
    names: async (id: ConversationId): Promise<readonly string[]> => {
      const found = await list(nameOf(id, ""));
      const marked = found.flatMap(([, , name = "", file = ""]) => (MARKS.includes(file) ? [name] : []));
      return [...new Set(marked)].filter((name) => NAME.test(name)).toSorted();
    },
    put,
    /** Marks an archive as valid, and removes earlier archives. */
    mark: async (id: ConversationId, name: string, mark: ArchiveMark): Promise<void> => {
      for (const file of MARKS) await put(id, name, file, [Buffer.from(JSON.stringify(mark))]);
      // An archive that cannot be removed now is removed with a later one.
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
    /** A lost or damaged file is missing in `to`. */
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
