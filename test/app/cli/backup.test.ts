import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod";
import { replayDirectory } from "../../replay.ts";
import { sampleRepo } from "../../sample-repo.ts";
import { scratch } from "../../scratch.ts";
import { type RunningHost, root, startHost } from "./host.ts";

const parley = (args: readonly string[], data: string) =>
  execa(process.execPath, ["bin/parley.js", ...args], {
    cwd: root,
    env: { PARLEY_DATA: data },
    reject: false,
  });

const conversation = z.looseObject({
  phase: z.string(),
  posts: z.array(z.looseObject({ kind: z.string() })),
  question: z.looseObject({ id: z.string() }).optional(),
});

const read = async (host: RunningHost, id: string) =>
  conversation.parse((await host.call("GET", `/api/conversations/${id}`)).body);

const reaches = (host: RunningHost, id: string, phase: string) =>
  vi.waitFor(
    async () => {
      const found = await read(host, id);
      if (found.phase !== phase) throw new Error(`${id} is ${found.phase}, not ${phase}`);
      return found;
    },
    { interval: 50 },
  );

/** A conversation of the demo model that waits for its approval. */
const asks = async (host: RunningHost): Promise<string> => {
  const { body } = await host.call("POST", "/api/conversations", {});
  const { id } = z.looseObject({ id: z.string() }).parse(body);
  await host.call("POST", `/api/conversations/${id}/messages`, { text: "add a line to README.md" });
  await reaches(host, id, "awaitingApproval");
  return id;
};

const approves = async (host: RunningHost, id: string) => {
  const { question } = await read(host, id);
  await host.call("POST", `/api/conversations/${id}/actions`, {
    action: "decide",
    question: question?.id,
    choice: "approve",
  });
  return reaches(host, id, "idle");
};

const readmeOf = (directory: string, id: string): string =>
  readFileSync(join(directory, "threads", id, "work/README.md"), "utf8");

describe("parley backup and parley restore", () => {
  let data: string;
  let copy: string;
  let changed: string;
  let waiting: string;
  let readme: string;
  let posts: readonly { readonly kind: string }[];
  let repo: string;

  beforeAll(async () => {
    repo = await sampleRepo("# Sample\n");
    data = scratch("backup-from");
    const host = await startHost(data, { PARLEY_REPO: repo });
    changed = await asks(host);
    await approves(host, changed);
    readme = readmeOf(data, changed);
    posts = (await read(host, changed)).posts;
    waiting = await asks(host);
    copy = join(scratch("backup-to"), "not/there/yet", "monday");
    const made = await parley(["backup", copy], data);
    expect(made).toMatchObject({ exitCode: 0, stderr: "" });
    expect(made.stdout).toContain(`backup: ${copy}`);
    await host.stop("SIGKILL");
  });

  it("a copy made beside the running host starts elsewhere: threads, uncommitted work and a waiting question", async () => {
    const elsewhere = join(scratch("backup-new"), "data");
    expect(await parley(["restore", copy], elsewhere)).toMatchObject({ exitCode: 0, stderr: "" });
    const host = await startHost(elsewhere, { PARLEY_REPO: repo });
    onTestFinished(() => void host.process.kill("SIGKILL"));
    expect((await read(host, changed)).posts).toEqual(posts);
    expect(readmeOf(elsewhere, changed)).toBe(readme);
    expect(readme).not.toBe("# Sample\n");
    await approves(host, waiting);
    expect(readmeOf(elsewhere, waiting)).not.toBe("# Sample\n");
    await host.stop("SIGTERM");
    expect(replayDirectory(elsewhere)).toBeGreaterThan(10);
  });

  it("is readable by its owner alone, and holds neither lock nor log of the database", () => {
    expect(readdirSync(copy)).toEqual(expect.arrayContaining(["backup.json", "parley.sqlite", "threads"]));
    for (const directory of [copy, data]) expect(readdirSync(directory)).not.toContain("backup.under-way");
    expect(readdirSync(copy).filter((name) => /lock|wal|shm/.test(name))).toEqual([]);
  });

  it("a directory that is not empty is neither overwritten nor filled", async () => {
    expect(await parley(["backup", copy], data)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("exists already"),
    });
    expect(await parley(["restore", copy], data)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("is not empty"),
    });
  });

  it("a data directory that is there is filled in its place, as a mounted volume has to be, and begun anew after an interruption", async () => {
    const volume = scratch("backup-volume");
    for (const name of ["lost+found", ".restore-under-way", "blobs"]) mkdirSync(join(volume, name));
    chmodSync(volume, 0o755);
    const { ino } = statSync(volume);
    const early = await parley(["start"], volume);
    expect(early.exitCode).toBe(1);
    expect(early.stderr).toContain("run parley restore again");
    expect(await parley(["restore", copy], volume)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(readdirSync(volume).toSorted()).toEqual(
      [...readdirSync(copy).filter((name) => name !== "backup.json"), "lost+found"].toSorted(),
    );
    const { ino: same, mode } = statSync(volume);
    expect([same, mode & 0o777]).toEqual([ino, 0o700]);
  });

  it("a copy inside of the data directory is refused", async () => {
    expect(await parley(["backup", join(data, "copy")], data)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("is inside the data directory"),
    });
    expect(existsSync(join(data, "copy"))).toBe(false);
  });

  it("a damaged backup is refused, and nothing is made", async () => {
    const damaged = join(scratch("backup-damaged"), "copy");
    await execa("cp", ["-a", copy, damaged]);
    writeFileSync(join(damaged, "parley.sqlite"), "not what was written");
    const target = join(scratch("backup-none"), "data");
    expect(await parley(["restore", damaged], target)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("the checksum differs"),
    });
    expect(existsSync(target)).toBe(false);
  });

  it("what a newer Parley saved is left to that", async () => {
    const newer = join(scratch("backup-newer"), "copy");
    await execa("cp", ["-a", copy, newer]);
    const note = join(newer, "backup.json");
    writeFileSync(note, readFileSync(note, "utf8").replace(/"schema": \d+/, '"schema": 999'));
    const target = join(scratch("backup-none"), "data");
    expect(await parley(["restore", newer], target)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("A newer Parley made"),
    });
    expect(existsSync(target)).toBe(false);
  });

  it("what is no backup is said to be none; without a database there is nothing to back up", async () => {
    const target = join(scratch("backup-none"), "data");
    expect((await parley(["restore", scratch("empty")], target)).stderr).toContain("is not a backup");
    const made = await parley(["backup", join(scratch("backup-to"), "b")], scratch("empty"));
    expect(made).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("cannot be copied") });
  });
});
