/**
 * What `npm run package` packs works where people install it: the tarball, unpacked below node_modules in an empty folder
 * as npm does it, with its own dependencies only.
 */

import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { FEATURES } from "../../src/app/features/list.ts";
import { installedBytes, productionPackages, unknownLicenses } from "../../packaging/production.ts";
import { root, startHost } from "../app/cli/host.ts";
import { scratch } from "../scratch.ts";

const app = scratch("package");
const parley = join(app, "node_modules/parley");
const bin = join(parley, "bin/parley.js");
/** Imports, of either kind, and workers. A path that ends with a slash is a folder, and no module. */
const LOADS = /(?:from|import\s*\(?|new URL\()\s*["'](\.{1,2}\/[^"']*[^"'/])["']/g;
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
  for (const script of ["packaging/stage.ts", "packaging/bundle.ts", "packaging/types.ts"])
    execFileSync(process.execPath, [script, dist], { cwd: root, stdio: "pipe" });
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

/** What is packed, from the package's folder. */
const files = (): readonly string[] =>
  readdirSync(parley, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [relative(parley, join(entry.parentPath, entry.name))] : [],
  );

describe("the package", () => {
  it("holds what a host reads, the types of its API and the guides, and nothing else", () => {
    const all = files();
    const needed = [
      "bin/parley.js",
      "src/app/cli/parley.js",
      "src/store/write/writer-thread.js",
      "bundle/start.js",
      "bundle/writer.js",
      "src/modes/triage.md",
      "src/store/migrations/first/0001-conversations.sql",
      "src/features/console/page/app.js",
      "sandbox/prebuilt/linux-x64/parley-launcher",
      "sandbox/prebuilt/linux-arm64/parley-launcher",
      "sandbox/prebuilt/sha256.json",
      "types/src/features/console/render/api-types.d.ts",
      "docs/operate.md",
      ".env.example",
    ];
    expect(needed.filter((file) => !all.includes(file))).toEqual([]);
    expect(statSync(bin).mode & 0o111).toBe(0o111);
    expect(statSync(join(parley, "src/tools/pdf/child/pdftotext")).mode & 0o111).toBe(0o111);
    const known = [
      /^(README|CHANGELOG|CONTRIBUTING)\.md$|^(LICENSE|\.env\.example|package\.json)$/,
      /^docs\/((design|threads)\/)?(README|[a-z-]+)\.(md|png|svg)$/,
      /^types\/(adapters|src)\/.*\.d\.ts$/,
      /^(bin|bundle|src|adapters|sandbox)\/.*\.m?js$/,
      /^src\/i18n\/[a-z]{2}\.json$/,
      /^src\/features\/console\/page\/(styles\/)?[a-z]+\.(css|html|svg)$/,
      /^src\/features\/[a-z]+\/page\/board\.css$/,
      /^sandbox\/prebuilt\/(linux-(x64|arm64)\/parley-launcher|sha256\.json)$/,
      // From which it is built where a prebuilt one cannot be used (sandbox/locate.ts).
      /^sandbox\/launcher\/([a-z]+\/)?\w+\.[ch]$/,
      /^src\/modes\/[a-z]+\.md$/,
      /^src\/store\/migrations\/(first\/)?\d{4}-[a-z-]+\.sql$/,
      /^src\/tools\/(pictures|pdf)\/child\/package\.json$|^src\/tools\/pdf\/child\/pdftotext$/,
    ];
    expect(all.filter((file) => !known.some((one) => one.test(file)))).toEqual([]);
  });

  it("holds no module that nothing loads, and lacks none", () => {
    const all = files();
    const modules = all.filter((file) => /\.m?js$/.test(file));
    // The page's is loaded by its HTML, boards of features as the host lists them, the decoder by its path.
    const todo = [
      "bin/parley.js",
      "src/features/console/page/app.js",
      ...FEATURES.flatMap(({ name, board }) =>
        board === null ? [] : [`src/features/${name}/page/board.js`],
      ),
      "src/tools/pictures/child/decode.mjs",
      "src/tools/pdf/child/text.mjs",
    ];
    const loaded = new Set<string>();
    const lacking: string[] = [];
    for (const file of todo) {
      if (loaded.has(file)) continue;
      loaded.add(file);
      for (const [, target = ""] of readFileSync(join(parley, file), "utf8").matchAll(LOADS)) {
        const path = join(dirname(file), target);
        if (modules.includes(path)) todo.push(path);
        else if (!all.includes(path)) lacking.push(`${file}: ${target}`);
      }
    }
    expect(modules.length).toBeGreaterThan(400);
    expect(lacking).toEqual([]);
    expect(modules.filter((file) => !loaded.has(file))).toEqual([]);
  });

  it("loads few modules before the port listens", async () => {
    const list = join(app, "loaded.txt");
    const recorder = pathToFileURL(join(root, "test/app/loaded/recorder.ts")).href;
    const env = { PARLEY_MODEL: "demo", NODE_OPTIONS: `--import=${recorder}`, LOADED: list };
    const host = await startHost(join(app, "counted"), env, bin);
    await host.stop("SIGTERM");
    const loaded = readFileSync(list, "utf8").split("\n");
    const own = loaded.filter((url) => url.includes(`${parley}/`));
    console.log(`modules of a start: ${loaded.length}, of which ${own.length} are Parley's`);
    expect(own.some((url) => url.endsWith("/bundle/start.js"))).toBe(true);
    expect(loaded.length).toBeLessThan(450);
  });

  it("has pages whose links lead somewhere in it", () => {
    const all = files();
    const links = all
      .filter((file) => /^(docs\/)?\w+\.md$/.test(file))
      .flatMap((page) =>
        [...readFileSync(join(parley, page), "utf8").matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(
          ([, to = ""]) => ({ page, to }),
        ),
      );
    expect(links.length).toBeGreaterThan(40);
    expect(links.filter(({ page, to }) => !all.includes(join(dirname(page), to)))).toEqual([]);
  });

  it("has types of the console's API that a program of somebody else compiles with, strictly", () => {
    const program = `
      import type { Snapshot, WirePost } from "parley/api";
      export const answers = ({ posts }: Snapshot): readonly string[] =>
        posts.flatMap((post: WirePost) => (post.kind === "answer" ? [post.markdown] : []));
      // @ts-expect-error: the types say something, and not that everything is allowed
      export const none = ({ phase }: Snapshot): number => phase;
    `;
    writeFileSync(join(app, "client.ts"), program);
    const how = ["--ignoreConfig", "--noEmit", "--strict", "--module", "nodenext", "--types", ""];
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const said = execFileSync(process.execPath, [tsc, ...how, "client.ts"], { cwd: app, encoding: "utf8" });
    expect(said).toBe("");
  });

  it("takes less than 200 MB with all that it needs, the Node runtime aside, and every licence is known", () => {
    const packages = productionPackages(root);
    expect(packages.length).toBeGreaterThan(20);
    expect(unknownLicenses(packages)).toEqual([]);
    const megabytes = (installedBytes(packages) + installedBytes([{ ...own, path: parley }])) / 1e6;
    console.log(`installed size: ${megabytes.toFixed(0)} MB in ${packages.length + 1} packages, Node aside`);
    expect(megabytes).toBeLessThan(200);
    const [, stated = ""] =
      /; (\d+) MB installed, Node aside\./.exec(readFileSync(join(root, "README.md"), "utf8")) ?? [];
    // An old npm also takes what is for another libc; other processors have other programs.
    const others = installedBytes(packages.filter(({ name }) => name.includes("linuxmusl"))) / 1e6;
    if (process.arch === "x64") expect(Math.abs(megabytes - others - Number(stated))).toBeLessThan(8);
  });

  it("needs no script of a package when it is installed", () => {
    expect(readFileSync(join(root, ".npmrc"), "utf8")).toContain("ignore-scripts=true");
    const scripts = z.object({
      gypfile: z.boolean().optional(),
      scripts: z.record(z.string(), z.string()).default({}),
    });
    const runs = productionPackages(root).filter(({ path }) => {
      const { gypfile, scripts: own } = scripts.parse(
        JSON.parse(readFileSync(join(path, "package.json"), "utf8")),
      );
      const isBuilt = existsSync(join(path, "binding.gyp")) && gypfile !== false;
      return isBuilt || "preinstall" in own || "install" in own || "postinstall" in own;
    });
    expect(runs.map(({ name }) => name)).toEqual([]);
  });

  it.each([
    ["npx parley --help", /^Usage: parley COMMAND$/m],
    ["npx parley config", /^PARLEY_PORT +8787 +default$/m],
    ["npx parley doctor", /^(?:ok {6}|warning )node: /m],
  ])("is found by the name that npm links: %s", (command, says) => {
    const [npx = "", ...args] = command.split(" ");
    const said = execFileSync(npx, ["--no-install", ...args], {
      cwd: app,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: app },
    });
    expect(said).toMatch(says);
  });

  it("answers a question in the console, with tools in the sandbox and the page whole", async () => {
    const host = await startHost(join(app, "data"), { PARLEY_REPO: root }, bin);
    onTestFinished(() => void host.process.kill("SIGKILL"));
    const paths = new Set(["/", "/page/app.js"]);
    for (const path of paths) {
      const { status, body } = await host.call("GET", path);
      expect([path, status]).toEqual([path, 200]);
      const imports = path.startsWith("/vendor/") ? [] : String(body).matchAll(/\bfrom "([\w./@-]+)";/g);
      for (const [, from = ""] of imports) paths.add(new URL(from, `http://page${path}`).pathname);
    }
    expect(paths).toContain("/src/i18n/say.js");
    expect(paths).toContain("/vendor/marked.js");
    const created = await host.call("POST", "/api/conversations", {});
    const { id } = z.looseObject({ id: z.string() }).parse(created.body);
    const text = "where is the retry policy implemented?";
    await host.call("POST", `/api/conversations/${id}/messages`, { text });
    const said = async (): Promise<string> =>
      JSON.stringify((await host.call("GET", `/api/conversations/${id}`)).body);
    await expect.poll(said).toContain('"kind":"footer"');
    expect(await said()).toMatch(/retry\.ts:\d+/);
    expect(await host.stop("SIGTERM")).toBe(0);
  });

  it("keeps its data and looks for .env where the command is run, not in the package that an update replaces", () => {
    const shown = execFileSync(process.execPath, [bin, "config", "--json"], { cwd: app }).toString();
    expect(JSON.parse(shown)).toMatchObject({ PARLEY_DATA: { value: join(app, "data") } });
  });
});
