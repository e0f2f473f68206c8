/** hazard K5, 48: what one command plants runs in no other command, conversation or process of the bot. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createWorld, type World } from "../../tools/world.ts";
import { CANARY, describeArena, said } from "../arena/arena.ts";

/** Everything that shells, interpreters and package managers read before they do what they are told. */
const PLANT = `
  payload='echo PLANTED; echo PLANTED >&2; touch "$PWD/planted-ran"'
  for d in "$HOME" . ..; do
    for f in .bashrc .bash_profile .bash_login .profile .bash_logout .zshenv .envrc .inputrc; do echo "$payload" > $d/$f; done 2>/dev/null
    printf 'import sys; print("PLANTED")\\n' > $d/sitecustomize.py; cp $d/sitecustomize.py $d/usercustomize.py
    printf 'console.log("PLANTED")\\n' > $d/preload.js; printf 'node-options=--require ./preload.js\\nscript-shell=/bin/false\\nregistry=http://127.0.0.1:1/\\n' > $d/.npmrc
    printf '[alias]\\nstatus = !echo PLANTED\\n[core]\\nfsmonitor = echo PLANTED\\npager = echo PLANTED\\n' > $d/.gitconfig
    mkdir -p $d/bin $d/.config/git $d/.local/lib; cp $d/.gitconfig $d/.config/git/config
    for f in ls git python3 node env cat rg; do printf '#!/bin/sh\\necho PLANTED\\n' > $d/$f; chmod +x $d/$f; done
    printf -- '--pre=./cat\\n' > $d/.ripgreprc
  done 2>/dev/null
  export BASH_ENV=$PWD/.bashrc ENV=$PWD/.bashrc LD_PRELOAD=$PWD/evil.so NODE_OPTIONS="--require $PWD/preload.js" PYTHONSTARTUP=$PWD/sitecustomize.py PATH=.:$PATH PROMPT_COMMAND=$payload
  echo planted`;

const ORDINARY =
  "ls > /dev/null; env | sort; python3 -c 'print(1)'; git status --short 2>&1 | head -3; cat /dev/null; rg -c nothing-at-all . || true; echo done";

describeArena((arena) => {
  it("48 the next command, in either permission, runs none of it and sees none of its variables", async () => {
    const { shell } = arena();
    expect(said(await shell("unrestricted", PLANT))).toContain("planted\n");
    for (const profile of ["restricted", "unrestricted"] as const) {
      // Git's own configuration in a home is what a developer expects to be read: it is in the next test.
      const text = said(await shell(profile, ORDINARY.replace("git status --short 2>&1 | head -3; ", "")));
      expect(text).not.toContain("PLANTED");
      expect(text).not.toMatch(/BASH_ENV|LD_PRELOAD|NODE_OPTIONS|PYTHONSTARTUP|PROMPT_COMMAND/);
      expect(text).toContain("done\n");
    }
    expect(readdirSync(join(arena().work, "..")).toSorted()).toEqual(["home", "work"]);
  });

  it("48 after a downgrade nothing of the home is left to configure git, and the bot's git never read it", async () => {
    const text = said(
      await arena().shell(
        "restricted",
        "git config --list --show-origin; cd $TMPDIR && git init -q . ; git status --short; echo done",
      ),
    );
    expect(text).not.toContain("PLANTED");
  });
});

let tools: World;
beforeAll(async () => {
  tools = await createWorld({ "README.md": "# sample\n" });
});
afterAll(() => tools.close());

it("48 through the tools: no file of the checkout or the home speaks in a later bash, keyword_search or patch", async () => {
  const planted = await tools.call("bash", { command: PLANT });
  expect(JSON.stringify(planted)).toContain("planted");
  for (const permission of [tools.reading, "unrestricted"] as const) {
    const answers = await Promise.all([
      tools.call("bash", { command: "env; ls; python3 -c 'print(2)'" }, { permission }),
      tools.call("keyword_search", { keywords: ["sample"] }, { permission }),
      tools.call("bash", { command: "rg -n sample README.md" }, { permission, conversation: "c-two" }),
    ]);
    const text = JSON.stringify(answers);
    expect(text).not.toContain("PLANTED");
    expect(text).not.toContain("BASH_ENV");
    expect(text).not.toContain(CANARY);
  }
  expect(readdirSync(tools.work)).not.toContain("planted-ran");
});
