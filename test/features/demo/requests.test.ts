/** Ordinary words for a change in five languages lead to a card; questions about changes stay questions. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { requestIn } from "../../../src/features/demo/requests.ts";
import { nextReply } from "../../../src/features/demo/script.ts";
import { growthFault } from "../../linear/growth.ts";
import { repository, say, toolsIn } from "./world.ts";

/** `KIND FILE` or `rename OLD NEW`; `unknown`: the sentence about what the script can do; `question`: no request. */
const SENTENCES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  English: {
    "edit README": [
      "change the README",
      "Please change the README file",
      "I'd like you to change the README",
      'update the README to say "hello there"',
    ],
    "edit README.md": ["can you edit README.md?", "add a note to README.md", "Improve README.md."],
    "typo README": ["fix the typo", 'fix a typo in the README: "teh" should be "the"'],
    "typo README.md": ["fix the typo in README.md", "please correct the spelling in README.md"],
    "create hello.txt": [
      "create hello.txt",
      "create a file called hello.txt",
      "make a new file hello.txt with 'hi'",
      "Please write a new file hello.txt",
      "add hello.txt",
    ],
    "comment src/app.ts": [
      "add a comment to src/app.ts",
      'add a comment "why" to src/app.ts',
      "write a comment in src/app.ts please",
      "comment src/app.ts",
    ],
    "rename X": ["rename X", "can you rename X?"],
    "rename foo bar": [
      "rename foo to bar",
      "Rename the function foo to bar.",
      "please rename `foo` to `bar`",
      "change the name of foo to bar",
    ],
    pull: [
      "open a pull request",
      "Can you open a PR?",
      "make a pull request",
      "please create a draft pull request",
    ],
    unknown: [
      "remove the parser",
      "refactor the parser",
      "implement a login page",
      "add tests for the parser",
      "fix the bug in src/app.ts",
      "change the port in src/config.js to 80",
      "move the parser to src",
    ],
    question: [
      "where is a line added?",
      "how do I rename X?",
      "what changed in README.md?",
      "does the parser change the README?",
      "do not change README.md",
      "tell me how to change the README",
      "update policy",
      "move semantics",
      "open pull requests",
      "rename",
    ],
  },
  German: {
    "edit README": [
      "ändere die README",
      "Bitte ändere die README-Datei",
      "Kannst du die README ändern?",
      "README ändern",
    ],
    "edit README.md": ["Kannst du bitte README.md bearbeiten?", "Ergänze eine Zeile in README.md"],
    "typo README": ["behebe bitte den Schreibfehler in der README", "Korrigiere den Tippfehler"],
    "typo README.md": [
      "korrigiere den Tippfehler in README.md",
      "Tippfehler in README.md korrigieren",
      "Kannst du den Tippfehler in README.md beheben?",
    ],
    "create hello.txt": [
      "erstelle hello.txt",
      "Erstelle bitte eine Datei namens hello.txt",
      "Lege eine neue Datei hello.txt an",
      "hello.txt anlegen",
      "Kannst du mir hello.txt erstellen?",
    ],
    "comment src/app.ts": [
      "füge einen Kommentar zu src/app.ts hinzu",
      "Füge in src/app.ts einen Kommentar hinzu",
      "Kommentar in src/app.ts einfügen",
      "kommentiere src/app.ts",
    ],
    "rename X": ["benenne X um", "Kannst du X umbenennen?"],
    "rename foo bar": [
      "benenne foo in bar um",
      "Benenne die Funktion foo in bar um",
      "foo in bar umbenennen",
    ],
    pull: [
      "öffne einen Pull-Request",
      "Erstelle einen Pull Request",
      "mach bitte einen PR auf",
      "Kannst du einen Pull-Request öffnen?",
    ],
    unknown: [
      "entferne den Parser",
      "Refaktoriere den Parser",
      "behebe den Fehler in src/app.ts",
      "Implementiere eine Anmeldung",
      "entferne ungenutzte Importe",
    ],
    question: [
      "wie kann ich die README ändern?",
      "wo wird die README geändert?",
      "Ändere die README nicht",
      "Was macht dieses Repository?",
      "Welche Datei muss ich ändern?",
    ],
  },
  Spanish: {
    "edit README": [
      "cambia el README",
      "Por favor, cambia el README",
      "¿Puedes cambiar el README?",
      "añade una línea al README",
    ],
    "edit README.md": ["¿Podrías actualizar el README.md?", "modifica README.md"],
    "typo README": ["arregla la errata", "corrige la ortografía del README"],
    "typo README.md": [
      "corrige la errata en README.md",
      "Corrige el error tipográfico de README.md",
      "¿Puedes corregir las faltas de ortografía en README.md?",
    ],
    "create hello.txt": [
      "crea hello.txt",
      "Crea un archivo llamado hello.txt",
      "Quiero que crees un archivo hello.txt",
      "crea un nuevo fichero hello.txt",
    ],
    "comment src/app.ts": [
      "añade un comentario a src/app.ts",
      "Agrega un comentario en src/app.ts",
      "pon un comentario en src/app.ts",
      "comenta src/app.ts",
    ],
    "rename X": ["renombra X", "¿Puedes renombrar X?"],
    "rename foo bar": [
      "renombra foo a bar",
      "Renombra la función foo como bar",
      "cambia el nombre de foo a bar",
    ],
    pull: [
      "abre un pull request",
      "crea un pull request",
      "Haz un PR, por favor",
      "abre una solicitud de extracción",
    ],
    unknown: ["elimina el parser", "implementa un inicio de sesión", "añade pruebas"],
    question: [
      "¿Cómo cambio el README?",
      "¿Dónde se cambia el README?",
      "¿Cambia el parser la salida?",
      "no cambies el README",
      "¿Quién puede abrir un pull request?",
    ],
  },
  Japanese: {
    "edit README": ["READMEを変更して", "READMEを変更してください", "READMEを編集してもらえますか？"],
    "edit README.md": ["README.mdを更新して", "README.mdを書き換えて", "README.mdに一行追加して"],
    "typo README": ["タイプミスを直して"],
    "typo README.md": ["README.mdのタイプミスを直して", "README.md の誤字を修正してください"],
    "create hello.txt": [
      "hello.txtを作成して",
      "hello.txtを作って",
      "hello.txt というファイルを作成してください",
      "新しいファイル hello.txt を作ってください",
    ],
    "comment src/app.ts": [
      "src/app.tsにコメントを追加して",
      "src/app.ts にコメントを付けてください",
      "src/app.tsにコメントを書いて",
    ],
    "rename X": ["Xを名前変更して", "Xの名前を変えて"],
    "rename foo bar": ["fooをbarに名前変更して", "fooをbarにリネームしてください", "関数fooをbarに改名して"],
    pull: ["プルリクエストを開いて", "プルリクエストを作成してください", "PRを出して"],
    unknown: ["パーサーを削除して", "ログインを実装してください", "設定を変更"],
    question: [
      "READMEはどこで変更されますか？",
      "Xを名前変更するにはどうすればいいですか？",
      "何が変更されましたか？",
      "変更点を教えて",
      "設定の変更",
    ],
  },
  Chinese: {
    "edit README": ["修改README", "请修改 README", "把README改一下"],
    "edit README.md": ["能不能更新一下README.md？", "请帮我编辑README.md", "在README.md里加一行"],
    "typo README": ["改正拼写错误"],
    "typo README.md": ["修正README.md中的拼写错误", "修复 README.md 里的错别字", "把README.md的错别字改正"],
    "create hello.txt": [
      "创建hello.txt",
      "请创建一个名为 hello.txt 的文件",
      "新建文件 hello.txt",
      "帮我建个hello.txt",
    ],
    "comment src/app.ts": [
      "给src/app.ts添加注释",
      "在 src/app.ts 里加一个注释",
      "请在src/app.ts中添加一条注释",
    ],
    "rename X": ["重命名X"],
    "rename foo bar": ["把foo重命名为bar", "将 foo 改名为 bar", "把函数foo的名字改成bar"],
    pull: ["打开一个拉取请求", "创建一个PR", "请提交拉取请求", "发起一个 pull request"],
    unknown: ["删除解析器", "请实现登录功能"],
    question: [
      "怎么重命名X？",
      "README在哪里修改？",
      "什么时候更新README？",
      "不要修改README",
      "谁可以创建拉取请求？",
      "更新策略",
    ],
  },
};

const shortOf = (said: string): string => {
  const found = requestIn(said);
  if (found === null) return "question";
  if (found.kind === "rename")
    return `rename ${[found.from, ...(found.to === null ? [] : [found.to])].join(" ")}`;
  return "file" in found ? `${found.kind} ${found.file}` : found.kind;
};

describe.each(Object.entries(SENTENCES))("in %s", (_, kinds) => {
  const rows = Object.entries(kinds).flatMap(([kind, all]) => all.map((said) => [said, kind] as const));

  test.each(rows)("%j is understood as %s", (said, kind) => {
    expect(shortOf(said)).toBe(kind);
  });

  test("at least 25 sentences are understood", () => {
    expect(rows.length).toBeGreaterThanOrEqual(25);
  });

  test("what the script cannot do gets one sentence of its own language", async () => {
    const [said = ""] = kinds["unknown"] ?? [];
    const { rounds, final } = await say(said, toolsIn(await repository({}), "applies"));
    const found = requestIn(said);
    const can = found?.kind === "unknown" ? found.can : "";
    expect(rounds).toEqual([]);
    expect(final.startsWith(`${can}\n\nNext: `)).toBe(true);
    expect(can).toMatch(/^\P{Po}.+[.。]$/u);
  });
});

test("the sentence about what it can do differs in each language", () => {
  const all = Object.values(SENTENCES).map((kinds) => JSON.stringify(requestIn(kinds["unknown"]?.[0] ?? "")));
  expect(new Set(all).size).toBe(5);
});

const FILES = {
  "README.md": "# Thing\n\nWe Recieve mail, and teh rest.\n",
  "src/app.ts": "export const retries = 3;\nexport const name = retries;\nexport const retriesLeft = 1;\n",
  "docs/page.html": "<p>one</p>\n",
  "run.py": "print(1)\n",
};

/** Names of the calls, and the content of a file afterwards. */
const carriedOut = async (said: string, file: string, person: "applies" | "approves" = "applies") => {
  const cwd = await repository(FILES);
  const told = await say(said, toolsIn(cwd, person));
  const names = told.rounds.flat().map(({ name }) => name);
  return {
    names,
    final: told.final,
    rounds: told.rounds.flat(),
    text: readFileSync(join(cwd, file), "utf8"),
  };
};

const DRAFTED = ["bash", "draft", "patch", "propose"];

test.each([
  ["change the README", "README.md", DRAFTED, "\n\nParley's demo model added this line"],
  ['update README.md to say "hello $(id) \'x"', "README.md", DRAFTED, "\nhello $(id) 'x\n"],
  [
    "fix the typo in README.md",
    "README.md",
    ["bash", "bash", "draft", "bash", "propose"],
    "We Receive mail, and teh",
  ],
  [
    'correct the typo "teh" in README.md',
    "README.md",
    ["bash", "bash", "draft", "bash", "propose"],
    "and the rest.",
  ],
  ["create notes/hello.txt", "notes/hello.txt", DRAFTED, "Parley's demo model created this file.\n"],
  ['create hello.txt with "hi"', "hello.txt", DRAFTED, "hi\n"],
  ["create README.md", "README.md", DRAFTED, "\n\nParley's demo model added this line"],
  ["add a comment to src/app.ts", "src/app.ts", DRAFTED, "\n// Parley's demo model added this comment.\n"],
  ['add a comment "why --> not" to docs/page.html', "docs/page.html", DRAFTED, "\n<!-- why  not -->\n"],
  ["add a comment to run.py", "run.py", DRAFTED, "\n# Parley's demo model"],
  [
    "rename retries to attempts",
    "src/app.ts",
    ["bash", "draft", "bash", "propose"],
    "export const attempts = 3;\nexport const name = attempts;\nexport const retriesLeft = 1;\n",
  ],
  ["rename retries", "src/app.ts", ["bash", "draft", "bash", "propose"], "retriesRenamed = 3"],
  ["rename run.py to go.py", "go.py", ["bash", "draft", "bash", "propose"], "print(1)\n"],
  ["rename src/app.ts to main.ts", "src/main.ts", ["bash", "draft", "bash", "propose"], "retries"],
  ["open a pull request", "README.md", DRAFTED, "Parley's demo model added this line"],
])("%j is drafted and proposed: %s", async (said, file, names, content) => {
  const done = await carriedOut(said, file);
  expect(done.names).toEqual(names);
  expect(done.text).toContain(content);
  expect(done.final).toContain("The answer was: `Done, as a person approved it.`");
  const [change, propose] = done.rounds.slice(-2);
  expect(change?.input["where"]).toBe("draft");
  expect(propose?.input["title"]).toMatch(/^\S.{3,199}$/);
});

test("where no draft can be opened, a person is asked for write access, and the checkout is changed", async () => {
  const done = await carriedOut("create hello.txt", "hello.txt", "approves");
  expect(done.names).toEqual(["bash", "draft", "request_mode_upgrade", "patch"]);
  expect(done.final).toContain("Create hello.txt: done.");
});

test("after a denial nothing is changed", async () => {
  const cwd = await repository(FILES);
  const told = await say("change the README", toolsIn(cwd, "denies"));
  expect(told.rounds.flat().map(({ name }) => name)).toEqual(["bash", "draft", "request_mode_upgrade"]);
  expect(told.final).toMatch(/I stop here and change nothing/);
  expect(readFileSync(join(cwd, "README.md"), "utf8")).toBe(FILES["README.md"]);
});

test("in a conversation that is Unrestricted already nothing is drafted", async () => {
  const tools = toolsIn(await repository(FILES), "approves");
  const first = await say("create hello.txt", tools);
  const second = await say("create other.txt", tools, first.messages);
  expect(second.rounds.flat().map(({ name }) => name)).toEqual(["bash", "patch"]);
});

test("a file without a known misspelling gets a line, and it is said so", async () => {
  const { final, rounds } = await say("fix the typo in run.py", toolsIn(await repository(FILES), "applies"));
  expect(rounds.flat().map(({ name }) => name)).toEqual(["bash", "bash", "draft", "patch", "propose"]);
  expect(final).toMatch(/^I see none of the misspellings that a script knows.*The answer was/s);
});

test.each([
  ["change docs/none.md", /I found no file named `docs\/none\.md`.*`create docs\/none\.md`/],
  ["rename nowhereAtAll to x", /I found no `nowhereAtAll`/],
])("%j without such a thing ends after the look", async (said, told) => {
  const { final, rounds } = await say(said, toolsIn(await repository(FILES), "applies"));
  expect(rounds.flat().map(({ name }) => name)).toEqual(["bash"]);
  expect(final).toMatch(told);
});

test("a long message of any pattern's pieces is read in linear time", () => {
  const pieces = [
    "please ",
    "change ",
    "a.b/",
    "把",
    "'a",
    "`a ",
    "ändern ",
    "を作成",
    "por favor, ",
    "!",
    "rename ",
  ];
  for (const piece of pieces)
    expect(
      growthFault((said) => nextReply({ said, images: 0, calls: [], mayWrite: false }), piece),
      piece,
    ).toBeNull();
});
