/** What was answered survives the death of the process, and the dead hold no lock. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ConversationId } from "../../src/machine/id.ts";
import { openStoreForReading } from "../../src/store/sqlite.ts";
import { openStore } from "./open-store.ts";
import { openAt, temporary } from "./kit.ts";

/** The last step told of each conversation once `steps` have been told in all. */
const commits = async (child: ChildProcess, steps: number): Promise<ReadonlyMap<ConversationId, number>> => {
  if (child.stdout === null) throw new Error("no output");
  const told = new Map<ConversationId, number>();
  let count = 0;
  for await (const line of createInterface(child.stdout)) {
    const [, name = "", seq = ""] = /^c-(\d+) (\d+)$/.exec(line) ?? [];
    told.set(`c-${name}`, Number(seq));
    count += 1;
    if (count === steps) return told;
  }
  throw new Error("the process ended early");
};

const committer = (directory: string): ChildProcess => {
  const program = fileURLToPath(new URL("./committer.ts", import.meta.url));
  const child = spawn(process.execPath, [program, directory, String(CONVERSATIONS)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
};

const CONVERSATIONS = 12;

describe("SIGKILL", () => {
  it("right after a commit was answered loses nothing, and frees the directory", async () => {
    const directory = join(temporary(), "data");
    const child = committer(directory);
    const told = await commits(child, 200);
    expect(openStore(directory)).toEqual({
      kind: "failed",
      message: `another Parley process uses ${directory}`,
    });
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;

    const reader = openStoreForReading(directory);
    if (reader.kind === "failed") throw new Error(reader.message);
    for (const [id, seq] of told) expect(reader.store.load(id)?.state.seq).toBeGreaterThanOrEqual(seq);
    reader.store.close();
    const store = openAt(directory);
    for (const [id, last] of told) {
      const seq = store.load(id)?.state.seq ?? 0;
      expect(seq).toBeGreaterThanOrEqual(last);
      expect([...store.trace(id)].map((row) => row.seq)).toEqual(
        Array.from({ length: seq }, (_, index) => index + 1),
      );
      expect(store.history(id, 0).map(({ words }) => words)).toEqual(
        Array.from({ length: seq }, (_, index) => ({ kind: "comment", text: `words of step ${index}` })),
      );
      expect(store.posts(id, 0)).toMatchObject([{ revision: seq, ordinal: 1 }]);
    }
    await store.close();
    const db = new Database(join(directory, "parley.sqlite"));
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(db.pragma("foreign_key_check")).toEqual([]);
    db.close();
  });
});
