import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createWorld, type World } from "../world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({});
});
afterEach(() => world.tools.stopBackground("c-one"));
afterAll(() => world.close());

const bash = async (command: string) => (await world.call("bash", { command })).text;

const start = async (command: string, options: Parameters<World["call"]>[2] = {}) => {
  const outcome = await world.call("bash", { command, mode: "background" }, options);
  const [, pid = "", file = ""] =
    /^<pid>(\d+)<\/pid>\n<output_file>(.+)<\/output_file>/.exec(outcome.text) ?? [];
  return { outcome, pid, file };
};

const untilLast = (file: string, line: string) =>
  expect.poll(async () => (await bash(`tail -n 1 ${file}`)).trim()).toBe(line);

describe("background commands", () => {
  it("answer at once in the exact words, and write where a later command can read", async () => {
    const { outcome, pid, file } = await start("echo begun; sleep 30");
    expect(outcome).toEqual({
      text: `<pid>${pid}</pid>\n<output_file>${file}</output_file>\n<reminder>To stop: kill -9 -${pid}</reminder>`,
      images: [],
      diff: null,
      isError: false,
      background: true,
      reached: [],
    });
    expect(pid).toMatch(/^\d+$/);
    await untilLast(file, "begun");
  });

  it.each([
    ["true", "[background process completed]"],
    ["echo x; exit 7", "[background process failed: exit code 7]"],
  ])("%s ends its file with the right status", async (command, line) => {
    const { file } = await start(command);
    await untilLast(file, line);
  });

  it.each(["kill -9 -PID", "kill PID", "kill -s TERM -- -PID;"])("are stopped by %s", async (command) => {
    const { pid, file } = await start("while :; do date +%N >> beat.txt; sleep 0.05; done");
    await expect.poll(() => world.read("beat.txt").catch(() => "")).not.toBe("");
    expect(await bash(command.replace("PID", pid))).toBe("");
    await untilLast(file, "[background process failed: stopped]");
    const beat = await world.read("beat.txt");
    await bash("sleep 0.3; rm beat.txt.copy 2>/dev/null; true");
    expect(await world.read("beat.txt")).toBe(beat);
    await bash("rm beat.txt");
  });

  it("of another conversation are out of a kill's reach", async () => {
    const { pid, file } = await start("sleep 30");
    const other = await world.call("bash", { command: `kill -9 -${pid}` }, { conversation: "c-two" });
    expect(other.isError).toBe(true);
    await world.tools.stopBackground("c-two");
    await expect(bash(`cat ${file}`)).resolves.toBe("");
  });

  it("all end with stopBackground", async () => {
    const files = [(await start("sleep 30")).file, (await start("setsid sleep 30 & wait")).file];
    await world.tools.stopBackground("c-one");
    for (const file of files) {
      expect((await bash(`tail -n 1 ${file}`)).trim()).toBe("[background process failed: stopped]");
    }
  });

  it("are eight at most, and a place is free when one has ended", async () => {
    const started = await Promise.all(Array.from({ length: 8 }, () => start("sleep 30")));
    const ninth = await start("true");
    expect(ninth.outcome).toMatchObject({
      text: "There are 8 background commands already. Stop one first: kill -9 -PID",
      isError: true,
      background: false,
    });
    await bash(`kill ${started[0]?.pid}`);
    await untilLast(started[0]?.file ?? "", "[background process failed: stopped]");
    await expect.poll(async () => (await start("true")).outcome.background).toBe(true);
  });

  it("run in Restricted too; the upgraded conversation reads on, and one that says too much is ended", async () => {
    const { file } = await start("echo said; head -c 17000000 /dev/zero; sleep 30", {
      permission: "restricted",
    });
    for (const permission of ["restricted", "unrestricted"] as const) {
      const read = () =>
        world.call("bash", { command: `tail -n 1 ${file}; head -n 1 ${file}` }, { permission });
      await expect
        .poll(async () => (await read()).text)
        .toBe("[background process failed: it wrote more than 16 MiB]\nsaid\n");
    }
    const size = Number(await bash(`stat -c %s ${file}`));
    expect([size > 16 * 2 ** 20, size < 16 * 2 ** 20 + 100]).toEqual([true, true]);
  });

  it("do not survive a stop that comes while they are started", async () => {
    const controller = new AbortController();
    const late = await createWorld({}, (sandbox) => ({
      ...sandbox,
      start: (request) => {
        controller.abort();
        return sandbox.start(request);
      },
    }));
    const outcome = await late.call(
      "bash",
      { command: "sleep 0.5; touch late.txt", mode: "background" },
      { signal: controller.signal },
    );
    expect(outcome).toMatchObject({ text: "[command cancelled]", isError: true, background: false });
    await late.call("bash", { command: "sleep 1" });
    await expect(late.read("late.txt")).rejects.toThrow();
    await late.close();
  });
});
