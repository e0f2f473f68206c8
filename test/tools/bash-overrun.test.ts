/** What a command is told that the sandbox ended, beside what it had said itself. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({}, undefined, { memoryMib: 128, diskMib: 50 });
});
afterAll(() => world.close());

const HUNGRY = `python3 -c 'import mmap, time; m = mmap.mmap(-1, 600 * 2**20)
for at in range(0, len(m), 4096): m[at] = 1
time.sleep(20)'`;

it.each([
  ["memory", `echo begun; exec ${HUNGRY}`],
  ["disk", "echo begun; for i in 1 2 3 4; do fallocate -l 40M big$i; done; sleep 20"],
])("says which bound ended it: %s", async (bound, command) => {
  const { text, isError } = await world.call("bash", { command });
  expect(text).toBe(
    `[command failed: exit code 137]\nbegun\n[the sandbox ended the command: it took more ${bound} than a command may]`,
  );
  expect(isError).toBe(true);
});

it("says nothing of that to a command that keeps its bounds, however it ends", async () => {
  expect((await world.call("bash", { command: "echo begun; kill -9 $$" })).text).toBe(
    "[command failed: exit code 137]\nbegun\n",
  );
  expect((await world.call("bash", { command: "rm -f big*; fallocate -l 10M big; ls big" })).text).toBe(
    "big\n",
  );
});
