/**
 * hazard K5, 46 and 47: the host reads and writes files of a checkout for its agent. Whatever lies there under the
 * name that a model gives, it is no way to a file, a device or a program of the host's.
 */

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ToolOutcome } from "../../src/ports/tools.ts";
import { createWorld, type World } from "../tools/world.ts";
import { CANARY } from "./arena/arena.ts";
import { fingerprint } from "./arena/traces.ts";

/** Long enough for a busy machine, short enough to tell waiting for ever from work. */
const PATIENCE_MS = 10_000;

let world: World;
/** Beside the checkout: the host's own. */
let outside: string;
const server = createServer();

beforeAll(async () => {
  world = await createWorld({ "real.txt": "inside\n" });
  const { work } = world;
  outside = join(work, "../app");
  mkdirSync(outside);
  const secret = join(outside, "secret.txt");
  writeFileSync(secret, `${CANARY}\n`);
  writeFileSync(join(outside, "secret.png"), await picture());
  writeFileSync(join(work, "real.png"), await picture());
  const links = {
    "link.txt": secret,
    "link.png": join(outside, "secret.png"),
    "up.txt": "../host/secret.txt",
    "loop.txt": "loop.txt",
    "environ.txt": "/proc/self/environ",
    "memory.txt": "/proc/1/environ",
    "zero.txt": "/dev/zero",
    folder: outside,
    inner: "real.txt",
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(work, name));
  mkdirSync(join(work, "directory.txt"));
  execFileSync("/usr/bin/mkfifo", [join(work, "fifo.txt")]);
  if (process.getuid?.() === 0) execFileSync("/usr/bin/mknod", [join(work, "device.txt"), "c", "1", "5"]);
  else symlinkSync("/dev/zero", join(work, "device.txt"));
  server.listen(join(work, "socket.txt"));
  await once(server, "listening");
  closeSync(openSync(join(work, "sparse.txt"), "w"));
  truncateSync(join(work, "sparse.txt"), 2 ** 40);
});
afterAll(async () => {
  server.close();
  await world.close();
});

const picture = (): Promise<Buffer> =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: "#336699" } })
    .png()
    .toBuffer();

const PLANTED = [
  "link.txt",
  "link.png",
  "up.txt",
  "loop.txt",
  "environ.txt",
  "memory.txt",
  "zero.txt",
  "folder/secret.txt",
  "folder/made.txt",
  "directory.txt",
  "fifo.txt",
  "device.txt",
  "socket.txt",
  "sparse.txt",
  "../host/secret.txt",
  "/etc/hostname",
  "real.txt/below",
];

/** An answer in time, or a failure that names the file. */
const soon = async (path: string, answer: Promise<ToolOutcome>): Promise<ToolOutcome> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`${path}: no answer`)), PATIENCE_MS);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
};

it("46 patch writes through nothing that is planted, reads none of it, and waits for none of it", async () => {
  const before = fingerprint(outside);
  for (const path of PLANTED) {
    for (const patches of [
      [{ operation: "overwrite", newText: "changed\n" }],
      [{ operation: "append_eof", newText: "changed\n" }],
      [{ operation: "replace", oldText: CANARY, newText: "changed" }],
      [{ operation: "replace", oldText: CANARY, newText: "changed", toClipboard: "stolen" }],
    ]) {
      const answer = await soon(path, world.call("patch", { path, patches }));
      expect([path, answer.isError]).toEqual([path, true]);
      expect(JSON.stringify(answer)).not.toContain(`${CANARY}\\n`);
      expect(answer.diff).toBeNull();
    }
  }
  expect(fingerprint(outside)).toEqual(before);
  expect(readFileSync(join(world.work, "real.txt"), "utf8")).toBe("inside\n");
});

it("46 read_image shows nothing that is planted, in either permission", async () => {
  for (const permission of [world.reading, "unrestricted"] as const) {
    for (const path of PLANTED) {
      const answer = await soon(path, world.call("read_image", { path }, { permission }));
      expect([path, answer.isError, answer.images]).toEqual([path, true, []]);
      expect(JSON.stringify(answer)).not.toContain(CANARY);
    }
  }
});

it("46 attach_file shares nothing that is planted, in either permission", async () => {
  for (const permission of [world.reading, "unrestricted"] as const) {
    for (const path of PLANTED) {
      const answer = await soon(path, world.call("attach_file", { path }, { permission }));
      expect([path, answer.isError, answer.files]).toEqual([path, true, undefined]);
      expect(JSON.stringify(answer)).not.toContain(CANARY);
    }
  }
});

it("46 keyword_search follows nothing out of the checkout and waits for nothing in it", async () => {
  const answer = await soon("search", world.call("keyword_search", { search_terms: [CANARY, "inside"] }));
  expect(answer).toMatchObject({ isError: false, text: expect.stringContaining("real.txt") });
  expect(answer.text.replaceAll(`"${CANARY}"`, "")).not.toMatch(/secret\.txt|link\.txt|up\.txt/);
});

it("46 twin: patch, read_image, attach_file and a link that stays inside work", async () => {
  const patched = await world.call("patch", {
    path: "inner",
    patches: [{ operation: "append_eof", newText: "more\n" }],
  });
  expect(patched).toMatchObject({ isError: false });
  expect(readFileSync(join(world.work, "real.txt"), "utf8")).toBe("inside\nmore\n");
  expect(await world.call("read_image", { path: "real.png" })).toMatchObject({ isError: false });
  const shared = await world.call("attach_file", { path: "inner" }, { permission: world.reading });
  expect(shared).toMatchObject({ isError: false, files: [{ name: "inner", size: 12 }] });
  await world.write("real.txt", "inside\n");
});

it("46 a file that becomes a link while it is patched is never the host's", async () => {
  const before = fingerprint(outside);
  const swapping = new AbortController();
  const command = `mkdir -p race; while :; do rm -f race/f; echo ${CANARY}-mine > race/f; ln -sf ${outside}/secret.txt race/g; mv -f race/g race/f; rm -rf race/d; mkdir race/d; echo x > race/d/secret.txt; rm -rf race/d; ln -s ${outside} race/d; rm -f race/d; done 2>/dev/null`;
  const racing = world.call("bash", { command }, { signal: swapping.signal });
  for (let round = 0; round < 40; round++) {
    const answers = await Promise.all([
      world.call("patch", { path: "race/f", patches: [{ operation: "overwrite", newText: "a\n" }] }),
      world.call("patch", {
        path: "race/d/secret.txt",
        patches: [{ operation: "overwrite", newText: "b\n" }],
      }),
      world.call("read_image", { path: "race/d/secret.png" }),
      world.call("attach_file", { path: "race/d/secret.txt" }),
      world.call("attach_file", { path: "race/f" }),
    ]);
    expect(JSON.stringify(answers)).not.toContain(`${CANARY}\\n`);
    expect(answers[2].images).toEqual([]);
    for (const { files = [] } of answers.slice(3)) {
      for (const { hash } of files) {
        const bytes = await world.blobs.get(hash);
        expect(bytes?.toString()).not.toBe(`${CANARY}\n`);
      }
    }
  }
  swapping.abort();
  await racing;
  expect(fingerprint(outside)).toEqual(before);
});

it("47 what a repository makes git run, runs where the agent's commands do and nowhere else", async () => {
  const mark = join(outside, "escaped");
  const payload = `#!/bin/sh\\ncat ${outside}/secret.txt; touch ${mark}; id -u\\n`;
  const arm = `printf '${payload}' > p; chmod +x p; for k in core.fsmonitor core.pager diff.external core.sshCommand core.editor credential.helper filter.x.clean filter.x.smudge filter.x.process diff.x.textconv alias.status; do git config $k "$PWD/p"; done; echo '* filter=x diff=x' > .gitattributes; mkdir -p hooks; git config core.hooksPath "$PWD/hooks"; for h in post-checkout pre-commit post-index-change reference-transaction post-commit; do cp p hooks/$h; done; echo armed`;
  expect((await world.call("bash", { command: arm })).text).toContain("armed");
  for (const permission of [world.reading, "unrestricted"] as const) {
    const answers = [
      await world.call(
        "bash",
        { command: "git status; git diff; git log -p -1; git add -A; true" },
        { permission },
      ),
      await world.call("keyword_search", { search_terms: ["inside"] }, { permission }),
    ];
    expect(JSON.stringify(answers)).not.toContain(CANARY);
  }
  const patched = { path: "real.txt", patches: [{ operation: "append_eof", newText: "x\n" }] };
  expect(await world.call("patch", patched)).toMatchObject({ isError: false });
  expect(existsSync(mark)).toBe(false);
});
