/** docs/reference.md: `npm run sandbox`. */

import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "parley-command-"));
chmodSync(folder, 0o755);
writeFileSync(join(folder, "read.me"), "content\n");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

const sandbox = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const main = join(import.meta.dirname, "..", "..", "src", "app", "cli", "sandbox.ts");
    const script = `const { sandboxCommand } = await import(${JSON.stringify(main)}); process.exitCode = await sandboxCommand(process.argv.slice(1));`;
    const child = execFile(
      process.execPath,
      ["--input-type=module", "-e", script, "--", ...args],
      { env: { PATH: process.env["PATH"], ...env } },
      (_error, stdout, stderr) => resolve({ status: child.exitCode ?? -1, stdout, stderr }),
    );
  });

const run = (profile: string, script: string, more: readonly string[] = []): Promise<Ended> =>
  sandbox(["--profile", profile, "--cwd", folder, ...more, "--", "/bin/bash", "-c", script]);

it("restricted reads the directory by both kinds of path, writes nothing, and passes the status on", async () => {
  expect(await run("restricted", `cat read.me ${folder}/read.me; pwd; exit 9`)).toEqual({
    status: 9,
    stdout: `content\ncontent\n${folder}\n`,
    stderr: "",
  });
  const denied = await run("restricted", "echo x > made");
  expect([denied.status, existsSync(join(folder, "made"))]).toEqual([1, false]);
  expect(denied.stdout).toMatch(/Permission denied|Read-only file system/);
});

it("unrestricted writes, and what it wrote belongs to the directory's owner", async () => {
  expect((await run("unrestricted", "echo x > made")).status).toBe(0);
  expect(readFileSync(join(folder, "made"), "utf8")).toBe("x\n");
  expect(statSync(join(folder, "made")).uid).toBe(statSync(folder).uid);
});

it("124 when the time is up, 128 and the signal, 125 and a reason when nothing ran", async () => {
  expect((await run("restricted", "sleep 20", ["--timeout", "0.2"])).status).toBe(124);
  expect((await run("restricted", "kill -TERM $$")).status).toBe(143);
  const failures = await Promise.all([
    sandbox(["--profile", "restricted", "--cwd", join(folder, "missing"), "--", "/bin/true"]),
    sandbox(["--profile", "other", "--cwd", folder, "--", "/bin/true"]),
    sandbox(["--profile", "restricted", "--cwd", folder]),
    sandbox(["--profile", "restricted", "--", "/bin/true"]),
    sandbox(["--profile", "restricted", "--cwd", folder, "--timeout", "soon", "--", "/bin/true"]),
    sandbox(["--profile", "restricted", "--cwd", folder, "--", "/no/program"]),
    sandbox(["--nonsense"]),
    sandbox(["--profile", "restricted", "--cwd", folder, "--", "/bin/true"], { PARLEY_SANDBOX: "off" }),
  ]);
  expect(failures.map(({ status, stdout }) => [status, stdout])).toEqual(failures.map(() => [125, ""]));
  for (const { stderr } of failures) expect(stderr).toMatch(/^sandbox: ./);
});

it("--probe prints what is enforced and what is not, as JSON", async () => {
  const { status, stdout } = await sandbox(["--probe"]);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    tier: expect.stringMatching(/^T[0-3]$/),
    abi: expect.any(Number),
    enforced: expect.any(Array),
    residual: expect.any(Array),
  });
});

it("switched off, unrestricted still runs and nothing claims to be confined", async () => {
  const off = { PARLEY_SANDBOX: "off" };
  const probe = await sandbox(["--probe"], off);
  expect(JSON.parse(probe.stdout)).toMatchObject({ tier: "T3", abi: 0, restricted: false });
  const ran = await sandbox(["--profile", "unrestricted", "--cwd", folder, "--", "/bin/cat", "read.me"], off);
  expect(ran).toMatchObject({ status: 0, stdout: "content\n" });
});
