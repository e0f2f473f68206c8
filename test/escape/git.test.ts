/** hazard K5, 47 and 52: git that a repository would misuse, and git that must work. */

import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Arena, describeArena, said } from "./arena/arena.ts";
import { fingerprint } from "./arena/traces.ts";

const WHO =
  "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*';";

/** A repository in the checkout, made by its owner's own commands. */
const prepare = async (arena: Arena): Promise<void> => {
  const made = await arena.shell(
    "unrestricted",
    `${WHO} rm -rf repo && git init -q -b main repo && cd repo && printf 'one\\ntwo\\n' > a.txt && git add a.txt && git commit -qm first && echo three >> a.txt && git commit -qam second && echo ready`,
  );
  expect(said(made)).toContain("ready\n");
};

describeArena((arena) => {
  it("52 twin, restricted: status, log, blame, diff, grep and show work on a read-only checkout", async () => {
    await prepare(arena());
    const text = said(
      await arena().shell(
        "restricted",
        `${WHO} export GIT_OPTIONAL_LOCKS=0; cd repo; git status --short; git log --oneline | wc -l; git blame -s a.txt | wc -l; git diff HEAD~ --stat | tail -1; git grep -c two; git show HEAD:a.txt | tail -1`,
      ),
    );
    expect(text).toBe("2\n3\n 1 file changed, 1 insertion(+)\na.txt:1\nthree\n");
  });

  it("52 twin, unrestricted: clone, branch, merge, rebase, stash, worktree, tag and gc work", async () => {
    await prepare(arena());
    const text = said(
      await arena().shell(
        "unrestricted",
        `${WHO} rm -rf other tree && git clone -q repo other && cd other && git checkout -qb side && echo four >> a.txt && git commit -qam third && git checkout -q main && git merge -q side && git rebase -q HEAD~1 && echo x >> a.txt && git stash -q && git stash pop -q && git checkout -q a.txt && git tag v1 && git worktree add -q ../tree side 2>&1; git gc -q && git fsck 2>&1 | grep -c error; git log --oneline | wc -l; cat ../tree/a.txt | wc -l; git push -q origin side && git -C ../repo branch | wc -l`,
      ),
    );
    expect(text).toBe("0\n3\n4\n2\n");
  });

  it("47 hooks, filters, monitors and pagers of a repository run in the sandbox of whoever runs git, and reach nothing", async () => {
    await prepare(arena());
    const { shell, work, host, env } = arena();
    await shell(
      "unrestricted",
      `${WHO} cd repo; printf '#!/bin/sh\\ncat ${env} > loot 2>&1; id -u >> loot; touch ${host}/escaped\\n' > payload; chmod +x payload
       git config core.fsmonitor "$PWD/payload"; git config core.pager "$PWD/payload"; git config diff.external "$PWD/payload"; git config filter.x.clean "$PWD/payload"; git config filter.x.smudge "$PWD/payload"; git config core.sshCommand "$PWD/payload"; echo '* filter=x' > .gitattributes
       mkdir -p hooks; git config core.hooksPath "$PWD/hooks"; for h in post-checkout pre-commit post-index-change reference-transaction; do cp payload hooks/$h; done; true`,
    );
    const before = fingerprint(join(host, ".env"));
    for (const profile of ["restricted", "unrestricted"] as const)
      await shell(
        profile,
        `${WHO} cd repo; git status; git diff; git log -p; git checkout -q .; git commit -qam x; true`,
      );
    expect(readdirSync(host)).not.toContain("escaped");
    expect(fingerprint(join(host, ".env"))).toEqual(before);
    // The twin: the payload did run where the repository's owner let it.
    expect(readFileSync(join(work, "repo/loot"), "utf8")).not.toContain("canary");
    expect(readFileSync(join(work, "repo/loot"), "utf8")).toMatch(/^\d+$/m);
  });

  it("47 alternates and .git files that point at another conversation show nothing of it", async () => {
    const { shell, other } = arena();
    const target = join(other, "..");
    execFileSync("/usr/bin/git", ["init", "-q", target]);
    execFileSync("/bin/chown", ["-R", "--reference", target, target]);
    chmodSync(target, 0o700);
    const script = `${WHO} rm -rf thief; git init -q thief; cd thief; echo ${target}/.git/objects > .git/objects/info/alternates; git fsck; git cat-file --batch-all-objects --batch-check; rm -rf .git; echo 'gitdir: ${target}/.git' > .git; git log; git config --list --local; GIT_DIR=${target}/.git GIT_WORK_TREE=${target} git status; git clone ${target} loot; ls loot`;
    const text = said(await shell("unrestricted", script));
    expect(text).not.toContain("private.txt");
    expect(text).not.toContain("core.repositoryformatversion=0\ncore.filemode");
    expect(readdirSync(target).toSorted()).toEqual([".git", "private.txt"]);
  });
});
