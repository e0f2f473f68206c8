/** One story of a conversation, told by whoever runs this; prints what happened as JSON (tiers.test.ts). */

import type { Tier } from "../../sandbox/types.ts";
import { commit, conversation, createScene, git, startSandbox } from "./scene.ts";

/** Lines that each command of the story wrote, the data directory's name replaced. */
export interface Told {
  readonly tier: Tier;
  readonly mounts: boolean;
  readonly cwd: string;
  readonly lines: Readonly<Record<string, readonly string[]>>;
}

const sandbox = await startSandbox();
const scene = await createScene(sandbox, {
  draft: { bytes: 2 ** 30, entries: 9_999, layersFrom: 0 },
  attached: {
    of: (id) => (id === "c-2" ? [{ hash: "h", name: "0-app.log", size: 7 }] : []),
    get: () => Promise.resolve(Buffer.from("canary\n")),
  },
});
const source = await scene.repository("source");
const first = await commit(source, { "a.txt": "old\n" }, "first");
const secret = await commit(source, { "secret.txt": "s\n" }, "second");
const base = await scene.base("c-1", source);
const look = "pwd; cat a.txt; git log --format=%s; git status --short";
const restricted = await scene.shell("c-1", "restricted", `${look}; touch x 2>/dev/null || echo refused`);
const unrestricted = await scene.shell(
  "c-1",
  "unrestricted",
  `${look}; echo new > a.txt; touch ~/x && echo home`,
);
const downgraded = await scene.shell(
  "c-1",
  "restricted",
  `${look}; echo no 2>/dev/null > a.txt || echo refused`,
);
await git(source, "reset", "--quiet", "--hard", first);
await commit(source, { "b.txt": "b\n" }, "third");
scene.clock.advance(60_000);
await scene.base("c-2", source);
const other = await scene.shell(
  "c-2",
  "restricted",
  `${look}; git cat-file -e ${secret} 2>/dev/null || echo unreadable`,
);
const peek = await scene.shell(
  "c-2",
  "unrestricted",
  `cat ${scene.data}/threads/c-1/work/a.txt 2>/dev/null || echo hidden`,
);
/* A program that names the place where it was installed, as those of a Python environment do. */
const installed = await scene.repository("installed");
await commit(installed, {
  ".gitignore": "env/\n",
  ".parley/setup.sh":
    "umask 077; mkdir -p env ~/.store; ln -s /bin/sh env/sh; printf '#!%s/env/sh\\necho runs\\n' \"$PWD\" > env/tool; chmod +x env/tool; echo kept > ~/.store/x\n",
});
const ended = Promise.withResolvers<void>();
const what = { kind: "path", location: installed } as const;
await scene.workspaces.open(conversation("c-3", what, null), {
  signal: new AbortController().signal,
  onProgress: () => undefined,
  onSetUp: ({ kind }) => {
    if (kind !== "began") ended.resolve();
  },
});
await ended.promise;
await scene.base("c-4", installed);
const use = "env/tool; cat ~/.store/x; echo bad 2>/dev/null > env/tool || echo refused; git status --short";
const prepared = await scene.shell("c-3", "restricted", use);
const edited = await scene.shell("c-3", "unrestricted", `${use}; echo bad > ~/.store/x; cat ~/.store/x`);
const untouched = await scene.shell("c-4", "unrestricted", use);
/* Parked and put back, with what its commands may do afterwards. */
const parks = await scene.workspaces.park("c-1", 0, new AbortController().signal);
const rested = await scene.shell("c-1", "restricted", `${look}; echo no 2>/dev/null > a.txt || echo refused`);
const goesOn = await scene.shell("c-1", "unrestricted", "echo newer > a.txt; cat a.txt; ls ~");
/* Rehearsed in a draft, sealed with its test, applied: the name of the checkout's directory stays. */
const never = new AbortController().signal;
const { drafts } = scene.workspaces;
await drafts.open("c-2", never);
const drafted = await scene.shell(
  "c-2",
  "draft",
  `${look}; echo drafted > a.txt; cp /bin/true tool; git status --short; echo no 2>/dev/null > ${scene.data}/threads/c-1/work/a.txt || echo refused; echo x > ~/x && echo home`,
);
/* A file of a message, read and attacked in each permission; the last command shows what is left. */
const files = sandbox.probe.mounts ? "/files" : `${scene.data}/threads/c-2/files`;
const attack = `cd ${files} && cat 0-app.log; for how in 'echo x >> 0-app.log' 'rm -f 0-app.log' 'touch new' 'mv 0-app.log x' 'ln -s x soft' 'truncate -s0 0-app.log'; do ( eval "$how" ) 2>/dev/null && echo "$how"; done; ls`;
const attacks = [];
for (const permission of ["draft", "restricted", "unrestricted", "restricted"] as const)
  attacks.push((await scene.shell("c-2", permission, attack)).text);
const otherFiles = await scene.shell(
  "c-1",
  "unrestricted",
  `cat ${scene.data}/threads/c-2/files/* 2>/dev/null || echo hidden`,
);
const between = await scene.shell("c-2", "restricted", "cat a.txt; git status --short");
const sealed = await drafts.seal("c-2", { title: "Change a", testCommand: "cat a.txt" }, never);
if (sealed.kind !== "sealed") throw new Error(JSON.stringify(sealed));
const { tree, base: pinned, test } = sealed.result;
const applying = await drafts.apply("c-2", { tree, base: pinned }, never);
const applied = await scene.shell(
  "c-2",
  "restricted",
  `pwd; cat a.txt; [ "$(git rev-parse 'HEAD^{tree}')" = ${tree} ] && echo exact; git status --short; echo no 2>/dev/null > a.txt || echo refused`,
);
const { tier, mounts } = sandbox.probe;
const cwd = base.cwd.replace(scene.data, "DATA");
const ran = {
  parks: { text: parks.kind },
  between,
  attacks: { text: attacks.join("\n") },
  otherFiles,
  tested: { text: `${test?.status} ${test?.tail}` },
  applying: { text: applying.kind },
  applied: { text: applied.text.replace(scene.data, "DATA") },
  rested,
  goesOn,
  restricted,
  unrestricted,
  downgraded,
  other,
  peek,
  prepared,
  edited,
  untouched,
};
const lines = Object.fromEntries(
  Object.entries(ran).map(([name, { text }]) => [name, text.replaceAll(scene.data, "DATA").split("\n")]),
);
await sandbox.close();
await scene[Symbol.asyncDispose]();
const draftedLines = drafted.text.replaceAll(scene.data, "DATA").split("\n");
const told: Told = { tier, mounts, cwd, lines: { ...lines, drafted: draftedLines } };
process.stdout.write(JSON.stringify(told));
