/** Background commands in Restricted (BASH-003, D27), on every tier that holds it. */
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { RunResult } from "../../sandbox/types.ts";
import type { ConversationId } from "../../src/machine/id.ts";
import { type Background, createBackground } from "../../src/tools/bash/background.ts";
import { createOutputs } from "../../src/tools/bash/outputs.ts";
import { createResolveExecution } from "../../src/tools/resolve-execution.ts";
import type { ToolCall } from "../../src/tools/tool.ts";
import { describeTiers, textOf } from "../sandbox/tiers.ts";
import { ENV } from "../sandbox/world.ts";

const calledBy = (id: ConversationId): ToolCall => ({
  conversation: {
    id,
    surface: "console",
    title: "",
    repo: { kind: "path", location: "/nowhere" },
    createdBy: "console:operator",
    createdAt: 0,
    updatedAt: 0,
    prefix: "",
    base: null,
    origin: null,
  },
  base: { commit: "0".repeat(40), ref: "main", cwd: "/work" },
  permission: "restricted",
  grants: [],
  safeMode: false,
  signal: new AbortController().signal,
});

const shell = (script: string): readonly string[] => ["/bin/bash", "-c", script];

describeTiers(["T0", "T1", "T2"], (world) => {
  let background: Background;
  beforeEach(() => {
    background = createBackground(world().sandbox, createOutputs(), { info: () => undefined });
  });
  afterEach(async () => {
    await background.stopAll("c-one");
    await background.stopAll("c-two");
  });

  const directoryOf = (id: ConversationId): string => join(world().folder, "threads", id, "background");

  const placeOf = async (id: ConversationId) => {
    const policy = world().policy("restricted");
    const find = createResolveExecution(
      {
        policy: () =>
          Promise.resolve({ kind: "policy", policy, home: "/tmp", outputs: directoryOf(id), extraEnv: ENV }),
      },
      world().sandbox.probe,
      null,
    );
    return find(calledBy(id));
  };

  const start = async (script: string, id: ConversationId = "c-one") => {
    const outcome = await background.start(shell(script), await placeOf(id), calledBy(id));
    const [, pid = "", file = ""] =
      /^<pid>(\d+)<\/pid>\n<output_file>(.+)<\/output_file>\n<reminder>To stop: kill -9 -\d+<\/reminder>$/.exec(
        outcome.text,
      ) ?? [];
    expect([outcome.text, file !== "", outcome.background]).toEqual([outcome.text, true, true]);
    return { pid, file };
  };

  const run = async (script: string, id: ConversationId = "c-one"): Promise<RunResult> => {
    const { policy, env } = await placeOf(id);
    const keep = { head: 64 * 1024, tail: 1024 };
    return world().sandbox.run({ policy, env, argv: shell(script), timeoutMs: 120_000, keep });
  };
  const until = (file: string, words: string) => run(`until grep -q '${words}' ${file}; do sleep 0.02; done`);

  it("write where later commands of the conversation read, and none writes", async () => {
    const { file } = await start("echo begun; echo also >&2; sleep 60");
    await until(file, "also");
    expect(textOf(await run(`cat ${file}; ls ${dirname(file)}`))).toBe(
      `begun\nalso\n${file.slice(file.lastIndexOf("/") + 1)}\n`,
    );
    const before = statSync(join(directoryOf("c-one"), file.slice(file.lastIndexOf("/") + 1)));
    for (const attempt of [
      `echo x >> ${file}`,
      `: > ${file}`,
      `rm -f ${file}`,
      `mv ${file} ${file}.old`,
      `chmod 777 ${file}`,
      `touch -d 2001-01-01 ${file}`,
      `touch ${dirname(file)}/other`,
    ]) {
      const result = await run(attempt);
      expect([attempt, result.kind === "exited" && result.code !== 0]).toEqual([attempt, true]);
    }
    const after = statSync(join(directoryOf("c-one"), file.slice(file.lastIndexOf("/") + 1)));
    expect([after.size, after.mode, after.mtimeMs]).toEqual([before.size, before.mode, before.mtimeMs]);
  });

  it("write nothing else, and no way leads from their output to its file", async () => {
    const { file } = await start(
      "touch made 2>/dev/null; echo > $TMPDIR/own && echo own; readlink /proc/self/fd/1 2>/dev/null | grep -c background-; echo over",
    );
    await until(file, "completed");
    expect(textOf(await run(`grep -v '^0$' ${file}; ls ${world().work}`))).toBe(
      "own\nover\n\n[background process completed]\nnote.txt\n",
    );
  });

  it("are read by no other conversation, neither by the path that commands see nor by the host's", async () => {
    const mine = await start("echo secret-of-one; sleep 60");
    const theirs = await start("echo word-of-two; sleep 60", "c-two");
    await until(mine.file, "secret");
    await run(`until grep -q word ${theirs.file}; do sleep 0.02; done`, "c-two");
    const host = join(directoryOf("c-one"), mine.file.slice(mine.file.lastIndexOf("/") + 1));
    const seen = textOf(
      await run(`cat ${mine.file} ${host}; cat ${dirname(mine.file)}/*; cat ${theirs.file}`, "c-two"),
    );
    expect(seen).not.toContain("secret-of-one");
    expect(seen).toContain("word-of-two");
  });

  it.each([
    ["true", "completed"],
    ["exit 7", "failed: exit code 7"],
    ["kill -9 $$", "failed: signal 9"],
  ])("%s ends its file with the right words", async (script, words) => {
    const { file } = await start(script);
    await until(file, "background process");
    expect(textOf(await run(`tail -n 1 ${file}`))).toBe(`[background process ${words}]\n`);
  });

  it("end with all they began when they are stopped, one by its handle and the rest together", async () => {
    const one = await start("(setsid sleep 600.25 &); trap '' TERM; echo up; sleep 600.25");
    const two = await start("echo up; sleep 600.25");
    await until(one.file, "up");
    await until(two.file, "up");
    expect(background.kill("c-two", `kill -9 -${one.pid}`)).toBe(false);
    expect(background.kill("c-one", `kill -9 -${one.pid}`)).toBe(true);
    await until(one.file, "background process");
    expect(textOf(await run(`tail -n 1 ${two.file}`))).toBe("up\n");
    await background.stopAll("c-one");
    expect(textOf(await run(`tail -qn 1 ${one.file} ${two.file}`))).toBe(
      "[background process failed: stopped]\n".repeat(2),
    );
  });
});
