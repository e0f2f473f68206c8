import { describe, expect, test } from "vitest";
import { CRITICAL_RM, FORCE_PUSH, refuse } from "../../../src/shell-risk/refusals.ts";
import { MAX_SCRIPT, parse } from "../../../src/shell-risk/shell/shell.ts";
import type { Word } from "../../../src/shell-risk/shell/word.ts";

/** Quoted text stands in ‹›, places in <>, unknown expansions after `?`. */
const show = (word: Word): string =>
  word.pieces
    .map((piece) => {
      switch (piece.kind) {
        case "text":
          return piece.active ? piece.text : `‹${piece.text}›`;
        case "place":
          return `<${piece.place}>`;
        case "unknown":
          return `?${piece.source}`;
      }
    })
    .join("");

const stepsOf = (script: string) => parse(script).steps;

const commandsOf = (script: string) => stepsOf(script).filter((step) => step.kind === "command");

const listed = (script: string): readonly string[] =>
  commandsOf(script).map(({ program, args }) => [program ?? "?", ...args.map(show)].join(" "));

describe("words are what the program would receive", () => {
  test.each([
    ["echo 'a'\"b\"c", ["echo ‹ab›c"]],
    ["echo \\a'b'", ["echo ‹ab›"]],
    ['echo "a\\"b\\$c\\d"', ['echo ‹a"b$c\\d›']],
    ["echo $'a\\tb\\x41\\u00e9'", ["echo ‹a\tbAé›"]],
    ['echo $"hi"', ["echo ‹hi›"]],
    ["echo a\\\nb", ["echo ab"]],
    ['echo "a\\\nb"', ["echo ‹ab›"]],
    ["echo '' \"\"", ["echo  "]],
    ["echo ~ ~/x ~u/x a~ '~'", ["echo <home> <home>/x <home>/x a~ ‹~›"]],
    ['echo ~"/x" \\~', ["echo ~‹/x› ‹~›"]],
    ["echo \"$HOME\" ${HOME}x '$HOME'", ["echo <home> <home>x ‹$HOME›"]],
    ['echo "a $x  $y b"', ["echo ‹a ›?$x‹  ›?$y‹ b›"]],
    ["echo * '*' \"*\"", ["echo * ‹*› ‹*›"]],
    ["echo {a,b}c {d} {1..3}", ["echo ac bc {d} {1..3}"]],
    ["echo '{a,b}'", ["echo ‹{a,b}›"]],
    ["set -- 'a b'; echo $1 \"$1\"", ["set -- ‹a b›", "echo a b ‹a b›"]],
    ["x='a b'; echo $x \"$x\"", ["echo ?$x ?$x"]],
    ["x=a; echo ${x:-b}", ["echo ?$x b"]],
    ["echo ${x:-a} ${x:+b} ${x:?}", ["echo ?${x:-a} a ?${x:+b} b ?${x:?}"]],
    ["echo $(echo a)", ["echo ?$(echo a)", "echo a"]],
    ["A=1 B=$x ls", ["ls"]],
    ["./a/b/c x", ["c x"]],
    ["$x y", ["? y"]],
    ['"$DIR"/bin/rm y', ["rm y"]],
    ["time x=a; echo $x", ["echo ?$x"]],
    ["! until a; do b; done", ["a", "b"]],
    ["coproc if a; then b; fi", ["a", "b"]],
    ["x=$( ${x:-a} )", ["?", "a"]],
    ["npx -y rimraf@6 a", ["npx -y rimraf@6 a", "rimraf a"]],
    ["f() { echo \"$1\"; }; f 'a b'", ["echo ?$1", "f ‹a b›", "echo ‹a b›"]],
  ])("%s", (script, expected) => {
    expect(listed(script)).toEqual(expected);
  });
});

test("a substitution is read wherever it stands, and a script around it is whole", () => {
  const places = [
    "echo $(( % + 1 )); (( x = % )); echo $[ % ]",
    "[[ -n % ]]; [[ a == %* ]]; [[ a =~ % ]]; [ -d / ] && %",
    "echo ${x:%} ${x[%]} ${x//a/%} ${x#%} ${x:-${y:-%}} \"${x:+'%'}\"",
    'a[%]=1; x=([1]=%); x+=("%"); declare y=%; alias z="%"',
    "for i in %; do :; done; for ((i=%; i<%; i++)); do :; done; select i in %; do :; done",
    "case % in a) ;; esac; case b in %) ;; esac",
    "a <(%) > >(%); b > %; c <<< %",
    "cat <<E; cat <<'F'\n%\nE\n$(x)\nF",
    'echo {a,%} @(%) [%] $"%" "$(echo "%")"',
    "f() if a; then %; fi; coproc N { %; }; time -p ! %",
  ];
  for (const place of places) {
    const count = place.split("%").length - 1;
    for (const substitution of ["$(rm a)", "`rm a`"]) {
      const script = place.replaceAll("%", () => substitution);
      const found = listed(script).filter((command) => command === "rm a");
      expect({ script, kind: parse(script).kind, found: found.length >= count }).toEqual({
        script,
        kind: "parsed",
        found: true,
      });
    }
    expect(listed(place.replaceAll("%", "a"))).not.toContain("rm a");
  }
});

test("assignments, standard input and the way in are kept beside the words", () => {
  expect(
    commandsOf("sudo A=1 B='x y' bash <<< 'ls -l'").map(({ program, assignments, stdin, via }) => ({
      program,
      assignments: assignments.map(({ name, value }) => `${name}=${value === null ? "()" : show(value)}`),
      stdin: stdin === null ? null : show(stdin),
      via,
    })),
  ).toEqual([
    { program: "sudo", assignments: [], stdin: "‹ls -l›", via: [] },
    { program: "bash", assignments: ["A=1", "B=‹x y›"], stdin: "‹ls -l›", via: ["sudo"] },
    { program: "ls", assignments: [], stdin: null, via: ["sudo", "bash"] },
  ]);
});

describe("redirections are listed with their place among the commands, their text, and the input they are", () => {
  test.each<readonly [string, readonly string[]]>([
    ["a; b > c; d", ["2 > c"]],
    ["echo x > f", ["1 > f = x"]],
    ["a | echo x >> f", ["2 >> f = x"]],
    ["> f", ["0 > f = "]],
    ["x=$(> f)", ["0 > f = "]],
    ["[[ a ]] && : >| f", ["1 >| f = "]],
    ["a < f 2> g", ["1 < f", "1 > g"]],
    ["a 2>&1 >&- 3<&0", []],
    ["a &> f", ["1 &> f"]],
    ["cat <<E > f\nx\nE", ["1 > f = x\n"]],
    ["{ a; b; } > f", ["2 > f"]],
    ["while a; do b; done < f", ["2 < f"]],
    ["exec 3<>/dev/tcp/h/80", ["1 < /dev/tcp/h/80", "1 >> /dev/tcp/h/80"]],
    ["a < <(b)", []],
    ["cat < f > g; echo -e x > h; cat /dev/null > i", ["1 < f", "1 > g", "2 > h", "3 > i = "]],
    ["f=x; a > $f", ["1 > ?$f"]],
    ["bash -c 'a > f'", ["2 > f"]],
  ])("%s", (script, expected) => {
    const steps = stepsOf(script);
    const redirects = steps.filter((step) => step.kind === "redirect");
    expect(
      redirects.map((redirect) => {
        const { operator, target, content } = redirect;
        return [
          steps.slice(0, steps.indexOf(redirect)).filter(({ kind }) => kind === "command").length,
          operator,
          show(target).replaceAll(/[‹›]/g, ""),
          ...(content === null ? [] : ["=", show(content).replaceAll(/[‹›]/g, "")]),
        ].join(" ");
      }),
    ).toEqual(expected);
  });

  test.each([
    ["a", "none"],
    ["a < f", "file"],
    ["b | a", "pipe"],
    ["echo x | a", "pipe"],
    ["a <<< x", "text"],
    ["a < <(b)", "pipe"],
    ["b | while c; do a; done", "pipe"],
    ["{ a; } < f", "file"],
    ["bash -c 'a' < f", "none"],
  ])("%s: a reads from %s", (script, input) => {
    expect(commandsOf(script).find(({ program }) => program === "a")?.input).toBe(input);
  });
});

test("a syntax error is told apart from a clean script, and the commands around it are still listed", () => {
  const broken = parse("ls -l\nif foo");
  expect(broken).toMatchObject({ kind: "unparseable", reason: "syntax" });
  expect(broken.steps.some((step) => step.kind === "command" && step.program === "ls")).toBe(true);
  expect(parse("ls -l\nif foo; then x; fi").kind).toBe("parsed");
});

describe("bounds", () => {
  test("10,000 nested subshells are read to the bottom", () => {
    expect(refuse(parse(`${"( ".repeat(10_000)}rm -rf /${" )".repeat(10_000)}`))).toBe(CRITICAL_RM);
  });

  test.each([
    ["10,000 parentheses without spaces", `${"(".repeat(10_000)}x${")".repeat(10_000)}`],
    ["10,000 open substitutions", "$(".repeat(10_000)],
    ["3,000 substitutions in strings", `echo ${'"$('.repeat(3_000)}${')"'.repeat(3_000)}`],
    ["10,000 defaults in defaults", `echo ${"${x:-".repeat(10_000)}${"}".repeat(10_000)}`],
    ["10,000 braces", `echo ${"{a,".repeat(10_000)}${"}".repeat(10_000)}`],
    ["30 brace groups in one word", `echo ${"{a,b}".repeat(30)}`],
    ["a variable that doubles itself 40 times", `x=aaaa${"; x=$x$x".repeat(40)}; eval "$x"`],
    ["a list that doubles itself 40 times", `a=(x)${'; a=("${a[@]}" "${a[@]}")'.repeat(40)}`],
    ["an alias of itself", "alias a='b' b='a'; a"],
    ["a function that calls itself twice", "f() { f; f; }; f"],
    ["functions that fan out", `a() { b;b;b;b;b;b;b;b; }; b() { c;c;c;c;c;c;c;c; }; c() { a;d;d;d;d;d; }; a`],
    ["70,000 commands in a row", "a;".repeat(70_000)],
    ["100,000 arguments", `rm -rf ${"a ".repeat(100_000)}`],
    ["100,000 slashes", `rm -rf a${"/".repeat(100_000)}`],
    ["40,000 additions to a variable", `x=a${"\nx+=a".repeat(40_000)}`],
    ["arguments that multiply", `echo ${"a ".repeat(20_000)} | xargs -I X echo ${"X ".repeat(20_000)}`],
    ["tests that never close", `[[ ${" / ".repeat(50_000)}`],
    ["quotes that never end", "\"'(`{$<<".repeat(1_500)],
  ])("%s do not exhaust stack or memory", (_, script) => {
    expect(refuse(parse(script))).toBeNull();
  });

  test("of a script longer than the bound the slips are told all the same, and that it was not read", () => {
    const padding = "echo some words\n".repeat(MAX_SCRIPT / 16 + 1);
    const megabyte = `${padding}${padding}${padding}${padding}rm -rf /`;
    expect(parse(megabyte)).toMatchObject({ kind: "unparseable", reason: "bounds" });
    expect(refuse(parse(megabyte))).toBe(CRITICAL_RM);
    expect(refuse(parse(`git push --force\n${megabyte}`))).toBe(FORCE_PUSH);
    expect(refuse(parse(`git push; rm -rf build\n${padding}${padding}`))).toBeNull();
  });

  test("a script just under the bound is read to its end", () => {
    const script = `${"# padding words\n".repeat(MAX_SCRIPT / 16 - 1)}rm -rf /`;
    expect(parse(script).kind).toBe("parsed");
    expect(refuse(parse(script))).toBe(CRITICAL_RM);
  });
});

test("the cost of an ordinary command is printed", () => {
  const script = "cd /repo && git add src/a.ts src/b.ts && git commit -m 'fix it' && npm test 2>&1 | tail -5";
  for (let warm = 0; warm < 300; warm += 1) refuse(parse(script));
  const times = Array.from({ length: 500 }, () => {
    const start = performance.now();
    refuse(parse(script));
    return performance.now() - start;
  }).toSorted((a, b) => a - b);
  console.info(`shell parse + refuse: median ${times[250]?.toFixed(3)} ms, p99 ${times[495]?.toFixed(3)} ms`);
  expect(times).toHaveLength(500);
});
