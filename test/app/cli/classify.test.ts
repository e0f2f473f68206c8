/** `npm run classify` as docs/reference.md has it. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { z } from "zod";

const root = new URL("../../..", import.meta.url).pathname;

interface Ran {
  readonly code: number | null;
  readonly answers: readonly z.infer<typeof Answer>[];
  readonly stderr: string;
}

const Answer = z.union([
  z.strictObject({
    id: z.unknown().optional(),
    refuse: z.string().nullable(),
    categories: z.array(z.string()),
    why: z.string().min(1),
  }),
  z.strictObject({ id: z.unknown().optional(), error: z.string() }),
]);

const classify = async (args: readonly string[], input = ""): Promise<Ran> => {
  const env = { ...process.env, INIT_CWD: "/work/repo", HOME: "/home/somebody" };
  const child = spawn(process.execPath, ["bin/parley.js", "classify", ...args], { cwd: root, env });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const lines = stdout.split("\n").filter((line) => line !== "");
  return { code, answers: lines.map((line) => Answer.parse(JSON.parse(line))), stderr };
};

test("one command as arguments, one answer, exit 0 also where it is dangerous", async () => {
  expect(await classify(["sudo rm -rf /"])).toMatchObject({
    code: 0,
    answers: [
      {
        refuse: expect.stringMatching(/^permission denied: this rm command/),
        categories: ["SUDO", "FS_DELETE_OVERWRITE", "FS_OUTSIDE_WORKSPACE"],
        why: expect.stringContaining("sudo"),
      },
    ],
  });
  expect(await classify(["git", "status"])).toMatchObject({
    code: 0,
    answers: [{ refuse: null, categories: [] }],
  });
});

test("a file of commands: one answer a line in their order, ids kept, nothing run", async () => {
  const marker = `/tmp/parley-classify-${process.pid}`;
  const lines = [
    { id: 7, command: `touch ${marker}` },
    { id: "ä", command: "git add -A" },
    { id: null, command: "cat /work/repo/a.txt ~/b.txt" },
    { command: "echo 'two\nlines\u2028here'; npm install" },
    { id: { deep: [1] }, command: "(".repeat(3_000) },
  ];
  const ran = await classify([], `${lines.map((line) => JSON.stringify(line)).join("\n")}\n\n`);
  expect(ran.code).toBe(0);
  expect(ran.answers).toMatchObject([
    { id: 7, categories: [] },
    { id: "ä", refuse: expect.stringContaining("git add"), categories: [] },
    { id: null, categories: ["FS_OUTSIDE_WORKSPACE"], why: "reads /home/somebody/b.txt" },
    { categories: ["DEPS_INSTALL_UPDATE"] },
    { id: { deep: [1] }, categories: ["EXEC_ARBITRARY"] },
  ]);
  expect(ran.answers[3]).not.toHaveProperty("id");
});

test("a line that is no question gets an error in its place, and the exit status says so", async () => {
  const ran = await classify(
    [],
    '{"command":"ls"}\nnot json\n{"id":3,"command":5}\n[]\n{"command":"git push"}',
  );
  expect(ran.code).toBe(1);
  expect(ran.answers).toMatchObject([
    { categories: [] },
    { error: expect.any(String) },
    { id: 3, error: expect.any(String) },
    { error: expect.any(String) },
    { categories: ["GIT_PUBLISH"] },
  ]);
});
