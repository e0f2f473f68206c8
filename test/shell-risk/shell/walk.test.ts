/** What bash runs is told, or it is told that not all was read: also where the parser has no node for it. */
import { describe, expect, test } from "vitest";
import { createGlances, glance, parse } from "../../../src/shell-risk/shell/shell.ts";
import { categoriesOf, classifyCommand } from "../rows.ts";
import { growthFault } from "../../linear/growth.ts";

const deep = (open: string, inner: string, close: string, times: number): string =>
  open.repeat(times) + inner + close.repeat(times);

/** Each is run by bash, all the same to it; the twin beside it is read to its end and is no danger. */
const ODD: readonly (readonly [string, string])[] = [
  // Input on another descriptor is not the program's own, and of two the last one counts.
  ["bash <<E 3<<<x\nrm x\nE", "bash <<E 3<<<'rm x'\nls\nE"],
  ["bash <<< 'rm x' 3<<<x", "bash 3<<< 'rm x' <<<ls"],
  ["bash <<< 'rm x' {fd}<<<ls", "bash <<< ls {fd}<<<'rm x'"],
  ["bash <<< ls <<< 'rm x'", "bash <<< 'rm x' <<< ls"],
  ["bash 3<<<'rm x' <&3", "bash 3<<<ls <&3"],
  // An assignment prints nothing.
  ["X=1 > file", "X=1 echo a > file"],
  ["a=(1) > file", "a=(1); echo a > file"],
  // Lines that go on, and operators that end sooner.
  ["f\\\n() { $1 y; }; f rm", "f() { $1 y; }; f ls"],
  ["(bash <&3) 3<<E\nrm y\nE", "(cat <&3) 3<<E\nrm y\nE"],
  // Of an alias every value that it may have.
  ["shopt -s expand_aliases\nalias k=${u:-rm}\nk y", "shopt -s expand_aliases\nalias k=${u:-ls}\nk y"],
  // Whatever bash makes of it.
  ["$'\\x{72}m' x", "$'\\x6cs' x"],
  ["bash -c $'true #\\\nrm x'", "bash -c $'true #\nls'"],
  // Operations that are written nowhere, and operands in places where none is expected.
  ["x=a; : ${x~~$(rm x)}", "x=a; : ${x~~}"],
  ["x=a; : ${x~`rm x`}", "x=a; : ${x^`ls`}"],
  [": ${!-$(rm x)}", ": ${!:-$(ls)} ${!}"],
  [": ${a[$(rm x)}]}", ": ${a[$(ls)]}"],
  ["declare -a y=(1)`rm x`", "declare -a y=(1)"],
  ['declare y=(1)"$(rm x)"', 'declare y="(1)$(ls)"'],
  ["a[\n]$(rm x)]=1", "a[$(ls)]=1"],
  ["x=([\\$(rm x)]=1)", "x=([1]='\\$(rm x)')"],
  // Single quotes quote nothing in arithmetic.
  [": $(( '$(rm x)' ))", ": $(( 1 )) '$(rm x)'"],
  [": $(( ${x:-'$(rm x)'} ))", ": $(( ${x:-1} )) ${x:-'$(rm x)'}"],
  ["(( '`rm x`' ))", "(( 1 + `ls` ))"],
  ["a['$(rm x)']=1", "a['b']='$(rm x)'"],
  [": ${x:'$(rm x)'}", ": ${x#'$(rm x)'}"],
  ["for (('$(rm x)';0;)); do :; done", "for ((i=0;i<$(ls);i++)); do :; done"],
  ["cat <<E\n${x:-'$(rm x)'}\nE", "cat <<E\n${x:-'\\$(rm x)'}\nE"],
  // Taken for a here-document that never ends.
  ["((<<$((rm x) )))", "((1<<$((2))))"],
  ["bash<<''\n$();d=(|\nrm x", "bash<<''\nls\n\nls"],
  // More nesting than the parser follows, also in a script inside the script.
  [`bash -c "${deep("( ", "rm x", " )", 300)}"`, `bash -c "${deep("( ", "ls", " )", 200)}"`],
  [`sh -c "${deep("{ ", "rm x; ", "}; ", 300)}"`, `sh -c "${deep("{ ", "ls; ", "}; ", 200)}"`],
  [`cat <<E\n${deep("${x:-", "$(rm x)", "}", 257)}\nE`, `cat <<E\n${deep("${x:-", "$(ls)", "}", 20)}\nE`],
  [`a=(${deep("${a[", "$(rm x)", "]}", 257)})`, `a=(${deep("${a[", "$(ls)", "]}", 20)})`],
  [`: $((${deep("1?", "$(rm x)", ":1", 257)}))`, `: $((${deep("1?", "$(ls)", ":1", 100)}))`],
  [deep(": {a,$(", "rm x", ")}", 129), deep(": {a,$(", "ls", ")}", 20)],
  [`bash -c ': ${deep("$(( ", "$(rm x)", " ))", 300)}'`, `bash -c ': ${deep("$(( ", "1", " ))", 100)}'`],
  [`${"coproc ".repeat(8_000)}a; rm x`, "coproc a; ls"],
  [`bash -c ': $(${"function a ".repeat(8_000)}a)'`, "bash -c ': $(a)'"],
  // Scripts for other shells than bash.
  ["zsh -c 'for i (a b) rm $i'", "zsh -c 'for i in a b; do ls $i; done'"],
  ["fish -c 'echo (rm x)'", "fish -c 'echo x'"],
  ["csh -c 'foreach i (a b)\nrm $i\nend'", "csh -c 'ls; df'"],
];

/** The parser reads these in another way than bash, and nobody is told. */
const MISREAD = ["2>&-rm y", "<&-rm y", "set rm; ${1\\\n} y"];

test.each(MISREAD)("known to be missed: %j", (command) => {
  expect(categoriesOf(command, parse)).toEqual([]);
});

/** Long ones are named by their beginning. */
const rows = ODD.map(([command, twin]) => [command.slice(0, 40), twin.slice(0, 40), command, twin] as const);

test.each(rows)("%j is told; %j is not", (_, __, command, twin) => {
  const { dangers, complete } = classifyCommand(command, parse);
  const told = dangers.map(({ category }) => category);
  const isTold =
    told.includes("FS_DELETE_OVERWRITE") || (told.includes("EXEC_ARBITRARY") && told.length === 1);
  expect({ told, complete, isTold }).toMatchObject({ isTold: true });
  expect({ twin, kind: parse(twin).kind, told: categoriesOf(twin, parse) }).toEqual({
    twin,
    kind: "parsed",
    told: [],
  });
});

test.each([
  "echo \"\\$(x) \\`y\\`\" '$(z)' \\`w\\` $'$(b)' \"'$HOME'\" ${x:-\\$(a)} \"`date` $(date)\"",
  'echo `echo \\`date\\`` $((1 + $(wc -l < a))) $[1+$(date)] ${x%"$(date)"} ${x/a/`date`}',
  "cat <<E\n\\$(x) \\` `date` $(date)\nE\ncat <<'E'\n`x` $(y)\nE",
  "for i in $(ls) '`'; do [[ $i == *'$('* ]]; done; case $x in '$('*) ;; esac",
  "a=(1 # `x`\n 2) b=('`x`' \"$(ls)\"); echo {a,'$(b)'} @(a|'`') ['`'] # `x",
  "f() { echo \"$(ls)\"; }; bash -c 'f `a` `b` `c` `d` `e` `f` `g` `h`'; alias g='echo `ls`'; sh -c 'g; f'",
  "declare -A help=([run]='use `npm run`' [test]=\"$(ls)\")",
])("what only looks like a substitution is no reason to ask: %j", (command) => {
  expect({ kind: parse(command).kind, told: categoriesOf(command, parse) }).toEqual({
    kind: "parsed",
    told: [],
  });
});

test.each([
  "x=rm; $x y",
  "x=rm; $\\\nx y",
  "x=rm; ${x:-ls} y",
  "for x in rm; do ${x:-ls} y; done",
  "export SHELL=rm; $SHELL y",
  "a=(rm y); ${a[@]}",
  "a=(ls rm); ${a[1]} y",
  "a=(rm y)\\\n; ${a[@]}",
  "x=ls; x[0]=rm; $x y",
  "cmd='rm x'; bash -c \"$cmd\"",
  "$(echo rm) y",
  "echo 'rm x' | bash 3<<<ls",
  "cat <<E | sh\nrm y\nE",
])("a value that is not followed is asked about where it runs: %j", (command) => {
  expect(categoriesOf(command, parse)).toContain("EXEC_ARBITRARY");
});

test.each([
  'x=a; ls $x; echo "$x" ${x:-b}; cat <<< $x',
  "for f in a b; do grep x $f; done",
  "ls $(echo a); echo x | grep x",
])("and not where it is an argument: %j", (command) => {
  expect(categoriesOf(command, parse)).toEqual([]);
});

const glanced = (pattern: string): unknown => classifyCommand(pattern, glance);

describe("the work of a glance is bounded", () => {
  test("all of those for one call by the characters of those that are read", () => {
    const look = createGlances();
    const script = "ls".padEnd(2_000);
    expect(look(`${script} `)).toBeNull();
    const found = [1, 2, 3, 4, 5].map(() => look(script) !== null);
    expect(found).toEqual([true, true, true, true, false]);
  });

  test("and patterns in a program's place take time that grows with their length", () => {
    for (const made of [(size: number) => `a==${"[".repeat(size)}`, "*$[a[", "[a]"])
      expect(growthFault(glanced, made, [190, 1_900])).toBeNull();
  });
});
