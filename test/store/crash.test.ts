/** What was answered survives the death of the process, and the dead hold no lock. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore, openStoreForReading } from "../../src/store/sqlite.ts";
import { openAt, temporary } from "./kit.ts";

/** Resolves to the last step told once `steps` have been. */
const commits = async (child: ChildProcess, steps: number): Promise<number> => {
  if (child.stdout === null) throw new Error("no output");
  for await (const line of createInterface(child.stdout)) {
    if (Number(line) >= steps) return Number(line);
  }
  throw new Error("the process ended early");
};

const committer = (directory: string): ChildProcess => {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL("./committer.ts", import.meta.url)), directory],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
};

describe("SIGKILL", () => {
  it("right after a commit was answered loses nothing, and frees the directory", async () => {
    const directory = join(temporary(), "data");
    const child = committer(directory);
    const told = await commits(child, 25);
    expect(openStore(directory)).toEqual({
      kind: "failed",
      message: `another Parley process uses ${directory}`,
    });
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;

    const reader = openStoreForReading(directory);
    if (reader.kind === "failed") throw new Error(reader.message);
    expect(reader.store.load("c-1")?.state.seq).toBeGreaterThanOrEqual(told);
    reader.store.close();
    const store = openAt(directory);
    const seq = store.load("c-1")?.state.seq ?? 0;
    expect(seq).toBeGreaterThanOrEqual(told);
    expect([...store.trace("c-1")].map((row) => row.seq)).toEqual(
      Array.from({ length: seq }, (_, index) => index + 1),
    );
    expect(store.history("c-1", 0).map(({ words }) => words)).toEqual(
      Array.from({ length: seq }, (_, index) => ({ kind: "comment", text: `words of step ${index}` })),
    );
    expect(store.posts("c-1", 0)).toMatchObject([{ revision: seq, ordinal: 1 }]);
    store.close();
    const db = new Database(join(directory, "parley.sqlite"));
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(db.pragma("foreign_key_check")).toEqual([]);
    db.close();
  });
});
