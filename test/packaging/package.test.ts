/**
 * What `npm run package` packs works where people install it: the tarball, unpacked below node_modules in an empty folder
 * as npm does it, with its own dependencies only.
 */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { installedBytes, productionPackages, unknownLicenses } from "../../packaging/production.ts";
import { root, startHost } from "../cli/host.ts";
import { scratch } from "../scratch.ts";

const app = scratch("package");
const parley = join(app, "node_modules/parley");
const bin = join(parley, "bin/parley.js");
/** Only its one file of WebAssembly is packed. */
const GRAMMAR = "tree-sitter-bash";
const own = { name: "parley", version: "", license: "MIT" };

const manifest = z.object({
  dependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()),
});

/** npm before version 11 says a list, later ones by name. */
const tarballOf = (said: unknown): string => {
  const one = z.object({ filename: z.string() });
  const [first] = z
    .union([z.array(one), z.record(z.string(), one).transform(Object.values<z.infer<typeof one>>)])
    .parse(said);
  if (first === undefined) throw new Error("npm pack made no tarball");
  return first.filename;
};

beforeAll(() => {
  const dist = join(app, "dist");
  execFileSync(process.execPath, ["packaging/stage.ts", dist], { cwd: root, stdio: "pipe" });
  const packed = execFileSync("npm", ["pack", dist, "--pack-destination", app, "--json"], {
    cwd: app,
    encoding: "utf8",
    stdio: "pipe",
  });
  const tarball = join(app, tarballOf(JSON.parse(packed)));
  mkdirSync(parley, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", parley, "--strip-components=1"]);
  rmSync(dist, { recursive: true });
  mkdirSync(join(app, "node_modules/.bin"), { recursive: true });
  symlinkSync("../parley/bin/parley.js", join(app, "node_modules/.bin/parley"));
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
    const known =
      /^(bin|src|adapters|sandbox|README\.md|CHANGELOG\.md|LICENSE|\.env\.example|package\.json)(\/|$)/;
    expect(files.filter((file) => !known.test(file))).toEqual([]);
  });

  it("takes less than 200 MB with all that it needs, the Node runtime aside, and every licence is known", () => {
    const packages = productionPackages(root);
    expect(packages.length).toBeGreaterThan(20);
    expect(unknownLicenses(packages)).toEqual([]);
    const needed = packages.filter(({ name }) => name !== GRAMMAR);
    const megabytes = (installedBytes(needed) + installedBytes([{ ...own, path: parley }])) / 1e6;
    console.log(`installed size: ${megabytes.toFixed(0)} MB in ${needed.length + 1} packages, Node aside`);
    expect(megabytes).toBeLessThan(200);
  });

  it("needs no script of a package when it is installed", () => {
    expect(readFileSync(join(root, ".npmrc"), "utf8")).toContain("ignore-scripts=true");
    const scripts = z.object({
      gypfile: z.boolean().optional(),
      scripts: z.record(z.string(), z.string()).default({}),
    });
    const runs = productionPackages(root).filter(({ name, path }) => {
      const { gypfile, scripts: own } = scripts.parse(
        JSON.parse(readFileSync(join(path, "package.json"), "utf8")),
      );
      const isBuilt = existsSync(join(path, "binding.gyp")) && gypfile !== false;
      return name !== GRAMMAR && (isBuilt || "preinstall" in own || "install" in own || "postinstall" in own);
    });
    expect(runs.map(({ name }) => name)).toEqual([]);
  });

  it("is found by the name that npm links", () => {
    const link = join(app, "node_modules/.bin/parley");
    expect(execFileSync(process.execPath, [link, "help"], { cwd: app }).toString()).toContain(
      "Usage: parley",
    );
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
