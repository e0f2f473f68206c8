/** D42: whatever a draft holds, the tree that is shown is git's own, and the checkout becomes exactly that. */

import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ConversationId } from "../../src/machine/id.ts";
import { ofWhole } from "../sample.ts";
import { testSeed } from "../seed.ts";
import { commit, createScene, git, startSandbox } from "./scene.ts";

const FILES = ["a.txt", "b.sh", "dir/c.txt", "dir/deep/d.bin", "e e.txt", "ü.txt", ".hidden", "dir2/f"];

/** One step of a change, as bash. Each succeeds or does nothing. */
const step = fc.oneof(
  fc
    .record({ path: fc.constantFrom(...FILES), text: fc.stringMatching(/^[a-z \n]{0,40}$/) })
    .map(
      ({ path, text }) =>
        `mkdir -p "$(dirname '${path}')" && rm -f '${path}' && printf '%s' '${text}' > '${path}'`,
    ),
  fc
    .record({ path: fc.constantFrom(...FILES), bytes: fc.uint8Array({ maxLength: 20 }) })
    .map(
      ({ path, bytes }) =>
        `mkdir -p "$(dirname '${path}')" && rm -f '${path}' && printf '${[...bytes].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")}' > '${path}'`,
    ),
  fc.constantFrom(...FILES, "dir").map((path) => `rm -rf '${path}'`),
  fc
    .record({ path: fc.constantFrom(...FILES), mode: fc.constantFrom("755", "644") })
    .map(({ path, mode }) => `if [ -f '${path}' ] && [ ! -L '${path}' ]; then chmod ${mode} '${path}'; fi`),
  fc
    .record({ from: fc.constantFrom(...FILES, "dir"), to: fc.constantFrom("moved", "dir3/moved", ...FILES) })
    .map(({ from, to }) => `mkdir -p "$(dirname '${to}')" && mv -T '${from}' '${to}'`),
  fc
    .record({
      path: fc.constantFrom("link", "dir/link", ...FILES),
      to: fc.constantFrom("a.txt", "nowhere", "dir"),
    })
    .map(({ path, to }) => `mkdir -p "$(dirname '${path}')" && rm -rf '${path}' && ln -s '${to}' '${path}'`),
  fc.constantFrom("echo built > out.ignored", "printf '*.ignored\\n' >> .gitignore", "mkdir -p empty/dirs"),
);

it.for([
  ["a copy", 9_999],
  ["layers", 0],
] as const)(
  "the tree shown of %s is git's own of the same change, and the checkout is that tree and nothing else",
  async ([, layersFrom]) => {
    const sandbox = await startSandbox();
    await using scene = await createScene(sandbox, { draft: { bytes: 2 ** 30, entries: 9_999, layersFrom } });
    try {
      const repo = await scene.repository("shop");
      const base = await commit(repo, {
        ".gitignore": "*.ignored\n",
        "a.txt": "one\n",
        "b.sh": "#!/bin/sh\n",
        "dir/c.txt": "c\n",
        "dir/deep/d.bin": "d\n",
      });
      const { signal } = new AbortController();
      const { drafts } = scene.workspaces;
      const script = fc.array(step, { minLength: 1, maxLength: 12 });
      let count = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(script, { minLength: 1, maxLength: 2 }), async (rounds) => {
          const id: ConversationId = `c-exact${(count += 1)}`;
          const twin = `${scene.root}/twin${count}`;
          await scene.base(id, repo);
          await git(scene.root, "clone", "-q", repo, twin);
          for (const steps of rounds) {
            const change = steps.map((one) => `{ ${one}; } 2>/dev/null || true`).join("\n");
            await drafts.open(id, signal);
            await scene.shell(id, "draft", change);
            execFileSync("bash", ["-c", change], { cwd: twin });
            await git(twin, "add", "--all");
            const expected = await git(twin, "write-tree");
            const sealed = await drafts.seal(id, { title: "A change" }, signal);
            if (sealed.kind === "unchanged") {
              expect(expected).toBe(await git(repo, "rev-parse", `${base}^{tree}`));
              continue;
            }
            if (sealed.kind !== "sealed") throw new Error(JSON.stringify(sealed));
            const { tree, files, diff } = sealed.result;
            expect(tree).toBe(expected);
            const named = (await git(twin, "diff", "--cached", "--find-renames", "--name-only", "-z", base))
              .split("\0")
              .filter((name) => name !== "");
            expect(files.map(({ path }) => path)).toEqual(named);
            // What becomes a link, or was one, is told in two parts.
            expect(new Set(diff.match(/^diff --git .*$/gm)).size).toBe(named.length);
            const applied = await drafts.apply(id, { tree, base }, signal);
            expect(applied).toMatchObject({ kind: "applied", tree });
            const look = "git rev-parse 'HEAD^{tree}'; git status --porcelain; git ls-files -s";
            const listed = await git(twin, "ls-files", "-s");
            const { text } = await scene.shell(id, "restricted", look);
            expect(text).toBe(`${tree}\n${listed}`.trim());
          }
        }),
        { numRuns: ofWhole(30, 2), seed: testSeed() },
      );
    } finally {
      await sandbox.close();
    }
  },
);
