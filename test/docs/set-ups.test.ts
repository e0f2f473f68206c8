/** The setups of docs/repositories.md, word for word, as the setup scripts of repositories that have what they install from. */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Sandbox } from "../../sandbox/types.ts";
import type { Setup } from "../../src/machine/vocabulary.ts";
import { scratch } from "../scratch.ts";
import { commit, conversation, createScene, type Scene, startSandbox } from "../workspace/scene.ts";
import { readPage } from "./told.ts";

const scripts = [...readPage("docs/repositories.md").matchAll(/^```sh\n([^]*?)^```$/gm)].map(
  ([, script = ""]) => script,
);
const has = (program: string): boolean => existsSync(`/usr/bin/${program}`);
/** Debian has what makes them in a package of its own. */
const makesEnvironments = (): boolean => {
  try {
    execFileSync("/usr/bin/python3", ["-c", "import ensurepip, venv"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

let sandbox: Sandbox;
let scene: Scene;
beforeAll(async () => {
  sandbox = await startSandbox();
  scene = await createScene(sandbox);
});
afterAll(async () => {
  await sandbox.close();
  await scene[Symbol.asyncDispose]();
});

/** What an npm project is that needs `tiny`, which lies in it, so that no registry is asked. */
const npmProject = (at: string): Readonly<Record<string, string>> => ({
  [`${at}package.json`]: JSON.stringify({
    name: "app",
    version: "1.0.0",
    dependencies: { tiny: "file:vendor" },
  }),
  [`${at}package-lock.json`]: JSON.stringify({
    name: "app",
    version: "1.0.0",
    lockfileVersion: 3,
    packages: {
      "": { name: "app", version: "1.0.0", dependencies: { tiny: "file:vendor" } },
      "node_modules/tiny": { resolved: "vendor", link: true },
      vendor: { name: "tiny", version: "1.0.0" },
    },
  }),
  [`${at}vendor/package.json`]: JSON.stringify({ name: "tiny", version: "1.0.0", main: "m.js" }),
  [`${at}vendor/m.js`]: "module.exports = 42;\n",
});

/** A wheel of one module, made as wheels are: a zip with three files that say what it is. */
const wheel = (): string => {
  const folder = scratch("wheel");
  const name = "tiny-1.0-py3-none-any.whl";
  const program = `import zipfile
with zipfile.ZipFile(${JSON.stringify(name)}, "w") as z:
    z.writestr("tiny.py", "answer = 42\\n")
    z.writestr("tiny-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n")
    z.writestr("tiny-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    z.writestr("tiny-1.0.dist-info/RECORD", "tiny.py,,\\n")
`;
  execFileSync("/usr/bin/python3", ["-c", program], { cwd: folder });
  return join(folder, name);
};

const setUp = async (id: `c-${string}`, location: string): Promise<Setup | undefined> => {
  const over = Promise.withResolvers<Setup>();
  await scene.workspaces.open(conversation(id, { kind: "path", location }, null), {
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onSetUp: (told) => {
      if (told.kind !== "began") over.resolve(told);
    },
  });
  return over.promise;
};

it("are two, and each is tried", () => {
  expect(scripts.map((script) => script.includes("npm ci"))).toEqual([true, false]);
  const lacking = ["npm", "node", "python3"].filter((program) => !has(program));
  if (lacking.length > 0)
    console.log(`skipped: setups of docs/repositories.md: no ${lacking.join(", ")} below /usr/bin`);
  if (has("python3") && !makesEnvironments()) console.log("skipped: no python3-venv here");
});

it.skipIf(!has("npm") || !has("node"))("two npm projects, of which one lies below", async () => {
  const repo = await scene.repository("npm");
  const ignored = { ".gitignore": "node_modules/\n", ".parley/setup.sh": scripts[0] ?? "" };
  await commit(repo, { ...ignored, ...npmProject(""), ...npmProject("web/") });
  expect(await setUp("c-npm", repo)).toMatchObject({ kind: "ready" });
  const asks = "node -p 'require(\"tiny\")'";
  const { text } = await scene.shell("c-npm", "restricted", `${asks}; cd web; ${asks}`);
  expect(text.trim()).toBe("42\n42");
});

it.skipIf(!has("python3") || !makesEnvironments())("a Python environment", async () => {
  const repo = await scene.repository("python");
  await commit(repo, {
    ".gitignore": ".venv/\n",
    "requirements.txt": "./tiny-1.0-py3-none-any.whl\n",
    ".parley/setup.sh": scripts[1] ?? "",
  });
  execFileSync("cp", [wheel(), repo]);
  await commit(repo, {});
  expect(await setUp("c-python", repo)).toMatchObject({ kind: "ready" });
  const asks = ".venv/bin/python -c 'import tiny; print(tiny.answer)'";
  expect((await scene.shell("c-python", "restricted", asks)).text.trim()).toBe("42");
});
