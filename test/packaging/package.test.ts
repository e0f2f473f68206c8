/** What `npm run package` packs works where people install it: below node_modules, with its own dependencies only. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { root, startHost } from "../cli/host.ts";
import { scratch } from "../scratch.ts";

const app = scratch("package");
const parley = join(app, "node_modules/parley");
const bin = join(parley, "bin/parley.js");

const manifest = z.object({
  dependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()),
});

beforeAll(() => {
  execFileSync(process.execPath, ["packaging/stage.ts", parley], { cwd: root, stdio: "pipe" });
  const { dependencies, optionalDependencies } = manifest.parse(
    JSON.parse(readFileSync(join(parley, "package.json"), "utf8")),
  );
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const installed = join(root, "node_modules", name);
    const link = join(app, "node_modules", name);
    if (!existsSync(installed)) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(installed, link);
  }
});
afterAll(() => rmSync(app, { recursive: true, force: true }));

describe("the package", () => {
  it("holds what a host reads, and neither types, tests nor secrets", () => {
    const files = readdirSync(parley, { recursive: true, encoding: "utf8" });
    const needed = [
      "bin/parley.js",
      "src/cli/parley.js",
      "src/store/writer-thread.js",
      "src/modes/triage.md",
      "src/tools/safety/tree-sitter-bash.wasm",
      "adapters/console/page/app.js",
      "sandbox/prebuilt/linux-x64/parley-launcher",
      "sandbox/prebuilt/linux-arm64/parley-launcher",
      "sandbox/launcher/serve.c",
      ".env.example",
    ];
    expect(needed.filter((file) => !files.includes(file))).toEqual([]);
    expect(statSync(bin).mode & 0o111).toBe(0o111);
    expect(files.filter((file) => /\.ts$|^test|^data|^\.env$|^node_modules/.test(file))).toEqual([]);
  });

  it("answers a question in the console, with tools in the sandbox and the page whole", async () => {
    const host = await startHost(join(app, "data"), { PARLEY_REPO: root }, bin);
    onTestFinished(() => void host.process.kill("SIGKILL"));
    for (const path of ["/", "/page/app.js", "/vendor/marked.js", "/vendor/purify.js"]) {
      expect([path, (await host.call("GET", path)).status]).toEqual([path, 200]);
    }
    const created = await host.call("POST", "/api/conversations", {});
    const { id } = z.looseObject({ id: z.string() }).parse(created.body);
    const text = "where is the retry policy implemented?";
    await host.call("POST", `/api/conversations/${id}/messages`, { text });
    const said = async (): Promise<string> =>
      JSON.stringify((await host.call("GET", `/api/conversations/${id}`)).body);
    await expect.poll(said, { timeout: 60_000 }).toContain('"kind":"footer"');
    expect(await said()).toMatch(/retry\.ts:\d+/);
    expect(await host.stop("SIGTERM")).toBe(0);
  });

  it("keeps its data and looks for .env where the command is run, not in the package that an update replaces", () => {
    const shown = execFileSync(process.execPath, [bin, "config", "--json"], { cwd: app }).toString();
    expect(JSON.parse(shown)).toMatchObject({ PARLEY_DATA: { value: join(app, "data") } });
  });
});
