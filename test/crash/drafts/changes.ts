/** Scripted changes of a small repository, each another one: edits, additions, deletions, modes, links, binary files. */

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { scratch } from "../../scratch.ts";

export interface Change {
  readonly no: number;
  /** Begins from the start: a process may end in the middle of it, and it is run again. */
  readonly script: string;
  readonly choice: "Apply" | "Open a draft pull request";
  /** What somebody does to the draft between the card and the click. */
  readonly mutation: string | null;
}

const NAMES = ["one", "two", "three", "four", "five", "six"];

/** A repository on which all of them can be made. */
export const changeable = (): string => {
  const repo = scratch("changeable");
  const git = (...args: readonly string[]): void => void execFileSync("git", args, { cwd: repo });
  git("init", "-q", "-b", "main");
  mkdirSync(join(repo, "lib"));
  mkdirSync(join(repo, "docs"));
  for (const name of NAMES) writeFileSync(join(repo, `lib/${name}.txt`), `${name}\nsame\n`);
  for (const name of NAMES) writeFileSync(join(repo, `docs/${name}.md`), `# ${name}\n`);
  writeFileSync(join(repo, "run.sh"), "#!/bin/sh\nexit 0\n");
  chmodSync(join(repo, "run.sh"), 0o755);
  writeFileSync(join(repo, "logo.bin"), Buffer.from([0, 1, 2, 255]));
  symlinkSync("lib/one.txt", join(repo, "link"));
  git("add", "--all");
  git("-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-q", "-m", "first");
  return repo;
};

const name = fc.constantFrom(...NAMES);
const word = fc.stringMatching(/^[a-z]{3,12}$/);

const step = fc.oneof(
  fc.tuple(name, word).map(([file, text]) => `printf '${text}\\n' > lib/${file}.txt`),
  fc.tuple(name, word).map(([file, text]) => `sed -i 's/^same$/${text} of old/' lib/${file}.txt || true`),
  fc
    .tuple(word, word)
    .map(([at, text]) => `mkdir -p 'new/${at} é'; echo ${text} > 'new/${at} é/${text}.txt'`),
  name.map((file) => `rm -f docs/${file}.md`),
  fc.constant("rm -rf docs"),
  name.map((file) => `[ ! -f lib/${file}.txt ] || chmod +x lib/${file}.txt`),
  fc.constant("chmod -x run.sh"),
  fc.tuple(name, name).map(([file, to]) => `ln -sfn lib/${to}.txt docs-${file}; ln -sfn lib/${to}.txt link`),
  fc.constant("rm -f link; echo 'no link any more' > link"),
  name.map((file) => `ln -sfn ${file}.txt lib/${file}.link; rm -f docs/${file}.md`),
  word.map((text) => `printf '\\0\\1${text}\\377' > logo.bin`),
  fc.tuple(word, fc.nat(60_000)).map(([text, size]) => `head -c ${size} /dev/zero > ${text}.bin`),
  fc
    .tuple(name, word)
    .map(([file, text]) => `[ ! -f lib/${file}.txt ] || mv lib/${file}.txt lib/${text}.txt`),
  word.map((text) => `git -c user.name=x -c user.email=x@y commit -qam ${text} || true`),
);

const mutation = fc.oneof(
  fc.constant("echo more >> run.sh"),
  fc.constant("chmod 755 logo.bin"),
  fc.constant("rm -f run.sh"),
  fc.constant("ln -sfn lib/two.txt run.sh"),
  fc.constant("printf '\\0' > evil.bin"),
  fc.constant("rm -f logo.bin; mkdir logo.bin; echo deep > logo.bin/file"),
  fc.constant("mkdir -p .github/workflows; echo 'on: push' > .github/workflows/evil.yml"),
);

/** What some commands would do at once is refused to an agent in every mode. */
const AFRESH = [
  "rm -f .git/*.lock",
  'git read-tree "$(git rev-list --max-parents=0 HEAD)"',
  "find . -mindepth 1 ! -path './.git' ! -path './.git/*' -delete",
  "git checkout-index -a -f",
  'git update-ref HEAD "$(git rev-list --max-parents=0 HEAD)"',
].join("\n");

/** Every second one is applied, the others are published; of both every third changes after its card. */
export const scripted = (count: number, seed: number): readonly Change[] =>
  fc.sample(fc.tuple(fc.array(step, { minLength: 1, maxLength: 5 }), mutation), { seed, numRuns: count }).map(
    ([steps, later], no): Change => ({
      no,
      // No two are the same tree.
      script: [AFRESH, ...steps, `echo ${no} > change-${no}.txt`].join("\n"),
      choice: no % 2 === 0 ? "Apply" : "Open a draft pull request",
      mutation: no % 3 === 0 ? later : null,
    }),
  );
