/** The guides say what the code does. */

import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { SLACK_FORMS } from "../../adapters/slack/forms.ts";
import { DENIALS_A_DAY } from "../../src/machine/state.ts";
import { offeredBy } from "../../src/machine/vocabulary.ts";
import { askText, CHOICE_LABELS, choiceLabel } from "../../src/thread/wording.ts";
import { CATEGORIES, WRITES } from "../../src/machine/vocabulary.ts";
import { chatCommands } from "../../src/app/commands.ts";
import { readConfig } from "../../src/app/settings/config.ts";
import { readCatalogue } from "../../src/modes/catalogue.ts";
import { root } from "../app/cli/host.ts";
import { scratch } from "../scratch.ts";
import { blocksOf, readPage } from "./told.ts";
import { english } from "../../src/i18n/say.ts";

const code = (text: string): string => text;

describe("docs/approvers.md", () => {
  const text = readPage("docs/approvers.md");
  const rows = text.split("\n").filter((line) => /^\| \*[^*]/.test(line));

  it("names each question as the card does, with its buttons in their order", () => {
    const message = "m-1";
    const asks = [
      { kind: "upgrade" },
      { kind: "danger", categories: [], shown: message, fingerprint: "" },
      { kind: "write", write: "open_pull_request", shown: message, fingerprint: "" },
      { kind: "result", shown: message, fingerprint: "", pull: true },
      { kind: "mode", mode: "", branch: false },
      { kind: "person", choices: 2 },
      { kind: "answer", place: "" },
      {
        kind: "write",
        write: "post_review",
        shown: message,
        fingerprint: "",
        review: { comments: 1, leftOut: [], mayRequest: true },
      },
    ] as const;
    expect(rows).toHaveLength(asks.length);
    for (const [index, ask] of asks.entries()) {
      const isPerson = ask.kind === "person";
      const buttons = isPerson
        ? `The choices, **${CHOICE_LABELS.reply}**`
        : offeredBy(ask)
            .map((choice) => `**${choiceLabel(choice, ask, english)}**`)
            .join(", ");
      const begins = isPerson
        ? english("A question for {asker}", { asker: "…" })
        : askText(ask, { code, say: english }).slice(0, 24).trim();
      expect(rows[index]).toContain(begins);
      expect(rows[index]).toContain(`| ${buttons} |`);
    }
  });

  it("names each as the console does, too", () => {
    const titles = [
      ...readPage("src/features/console/page/thread/question.ts").matchAll(
        /^ {2}(\w+): \["([^"]+)", (?:"|null)/gm,
      ),
    ].map(([, kind = "", title]) => [kind, title] as const);
    const kinds = ["upgrade", "danger", "write", "result", "mode", "person", "answer"];
    expect(titles.map(([kind]) => kind).toSorted()).toEqual(kinds.toSorted());
    for (const [kind, title] of titles) expect(rows[kinds.indexOf(kind)]).toContain(`| *${title}* |`);
  });

  it("explains every danger category, and knows how many writes and denials there are", () => {
    const explained = [...text.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
    expect(explained).toEqual([...CATEGORIES]);
    expect(WRITES.filter((one) => !one.endsWith("_draft"))).toHaveLength(8);
    expect(DENIALS_A_DAY).toBe(3);
    expect(text).toContain("After three denials");
  });
});

/** The first word of each command in it. */
const words = (text: string): readonly string[] => [
  ...new Set(
    [...text.matchAll(/`([^`]+)`/g)].map(
      ([, code = ""]) =>
        /^(?:[/@]parley |@bot )?([a-z][a-z-]*)\b/.exec(code.replaceAll("\\|", "|"))?.[1] ?? "",
    ),
  ),
];

describe("the guides of the platforms", () => {
  const slack = readPage("docs/slack.md");
  const table = slack.slice(slack.indexOf("## Use"), slack.indexOf("## Who may"));
  it("docs/slack.md has every command that the help names, of threads and of channels, and no other", () => {
    const told = words(chatCommands.channelHelp("@bot", SLACK_FORMS, english));
    const typed = table.split("\n").filter((line) => /^\| a (?:channel|thread) \|/.test(line));
    const named = words(typed.map((line) => line.split(" | ")[1] ?? "").join("\n"));
    expect(told.length).toBeGreaterThan(12);
    expect(told.filter((word) => !named.includes(word) && word !== "")).toEqual([]);
    expect(named.filter((word) => !told.includes(word) && !["", "x"].includes(word))).toEqual([]);
  });

  it("docs/discord.md has every command that is registered there, and no other", () => {
    const [, list = ""] = /- `\/parley ([^`]+)`/.exec(readPage("docs/discord.md")) ?? [];
    const listed = list.split("|").map((word) => word.trim());
    expect(listed.toSorted()).toEqual(chatCommands.menu.map(({ name }) => name).toSorted());
  });
});

it.each([
  [
    "docs/slack.md",
    [
      "adapters/slack/receive/token-watch.ts",
      "adapters/slack/receive/sockets.ts",
      "adapters/slack/receive/handle.ts",
      "adapters/slack/write/sessions.ts",
      "src/runtime/chat/catch-up.ts",
      "src/app/main.ts",
    ],
  ],
  [
    "docs/discord.md",
    [
      "adapters/discord/receive/problem.ts",
      "adapters/discord/receive/commands.ts",
      "src/app/main.ts",
      "src/features/alerts/health-monitor.ts",
    ],
  ],
] as const)("%s quotes what the log says when something is wrong", (page, sources) => {
  const said = sources.map(readPage).join("\n");
  const text = readPage(page);
  const table = text.slice(text.indexOf("## When something is wrong"));
  const quoted = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, cell = ""]) => cell);
  expect(quoted.length).toBeGreaterThan(3);
  // What stands in the place of METHOD, … and a missing intent differs from time to time.
  const parts = quoted.flatMap((cell) => cell.split(/…|METHOD|\(|\)|Message Content Intent/));
  const fixed = parts.map((part) => part.trim()).filter((part) => part.length > 2);
  expect(fixed.filter((part) => !said.includes(part.replace(/^\w+: off$/, "off (")))).toEqual([]);
});

it("docs/scale.md has settings that Parley takes, with words in the place of the dots", () => {
  const settings = blocksOf(readPage("docs/scale.md")).filter(({ lines }) => lines.includes("PARLEY_"));
  expect(settings).toHaveLength(2);
  const text = settings.map(({ lines }) => lines.replaceAll("…", "0123456789abcdef")).join("");
  const pairs = [...text.matchAll(/^ *(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
  expect(readConfig(Object.fromEntries(pairs), scratch("scale-page"))).toMatchObject({ kind: "config" });
});

it.each(["docs/money.md", "docs/repositories.md"])("%s names the defaults as .env.example does", (page) => {
  const example = readPage(".env.example");
  const named = [...readPage(page).matchAll(/^\| `(PARLEY_\w+)` \| (.*) \|$/gm)].map(
    ([, name = "", cells = ""]) => [name, cells.split(" | ")] as const,
  );
  expect(named.length).toBeGreaterThan(2);
  for (const [name, cells] of named)
    expect([name, cells]).toEqual([
      name,
      expect.arrayContaining([new RegExp(`^${name}=(.+)$`, "m").exec(example)?.[1]]),
    ]);
});

/** Names of those below it. */
const folders = (top: string): readonly string[] =>
  readdirSync(join(root, top), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [`${top}/${entry.name}`] : [],
  );

const listed = z.record(z.string(), z.string());
const packagesSchema = z.object({
  dependencies: listed,
  devDependencies: listed,
  optionalDependencies: listed,
});

describe("docs/architecture.md", () => {
  const text = readPage("docs/architecture.md");

  it("has every folder of the code on a floor, and every phase of the machine", () => {
    const [, floors = ""] = /^```text\n([^]*?)^```$/m.exec(text) ?? [];
    const named = [...floors.matchAll(/\b(?:src|adapters)\/[a-z0-9-]+|\bsandbox\b/g)].map(([name]) => name);
    expect(named.toSorted()).toEqual([...folders("src"), ...folders("adapters"), "sandbox"].toSorted());
    const phases = [...readPage("src/machine/state.ts").matchAll(/^ {2}(?:\| \{ )?readonly kind: "(\w+)"/gm)];
    const kinds = phases.map(([, kind = ""]) => kind).filter((kind) => kind !== "thread");
    const told = [...text.matchAll(/^\| `(\w+)` \| [^|]+ \| [^|]+ \|$/gm)].map(([, phase = ""]) => phase);
    expect(told.toSorted()).toEqual(kinds.toSorted());
  });

  it("says of every dependency why it is there", () => {
    const cells = [...readPage("docs/design/dependencies.md").matchAll(/^\| (`[^|]+) \|/gm)].map(
      ([, cell = ""]) => cell,
    );
    const named = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
    const { dependencies, devDependencies, optionalDependencies } = packagesSchema.parse(
      JSON.parse(readPage("package.json")),
    );
    const all = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(named.toSorted()).toEqual(all.toSorted());
  });

  it("names files that are there, and the handlers of the core all", () => {
    const paths = [...text.matchAll(/`((?:src|test|adapters)\/[\w./-]+)`/g)].map(([, path = ""]) => path);
    expect(paths.length).toBeGreaterThan(60);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const handlers = readdirSync(join(root, "src/machine/transition"));
    expect(handlers.filter((name) => !text.includes(`\`${name.replace(".ts", "")}\``))).toEqual([]);
  });
});

describe("docs/modes.md", () => {
  const text = readPage("docs/modes.md");
  const examples = [...text.matchAll(/^```markdown\n([^]*?)^```$/gm)].map(([, example = ""]) => example);

  it("has examples that load, one beside ours and one in place of ours", () => {
    const [ours, replacing, ...more] = examples;
    expect(more).toEqual([]);
    const directory = scratch("modes-page");
    writeFileSync(join(directory, "release_notes.md"), ours ?? "");
    writeFileSync(join(directory, "triage.md"), replacing ?? "");
    const read = readCatalogue(directory);
    expect(read).toMatchObject({ kind: "catalogue", modes: { initial: "general" } });
    const all = read.kind === "catalogue" ? read.modes.all : [];
    expect(all.map(({ key }) => key)).toEqual([
      "explain",
      "general",
      "implement",
      "release_notes",
      "review",
      "triage",
    ]);
    expect(all.find(({ key }) => key === "release_notes")?.name).toBe("Release notes");
    expect(all.find(({ key }) => key === "triage")?.prompt).toContain("OWNERS");
  });

  it("names every problem that a catalogue can have, in its words", () => {
    const head = "---\nname: A\nwhen: x\n---\n";
    const provoked: readonly (readonly [said: string, files: Readonly<Record<string, string>> | null])[] = [
      ["the file must begin with a header between two lines of ---", { a: "text" }],
      ["the name must be a-z, 0-9 and _", { "A-b": `${head}Do.` }],
      ["the name is a permission, not a mode", { restricted: `${head}Do.` }],
      ["name: …", { a: "---\nname:\nwhen: x\n---\nDo." }],
      ["when: …", { a: "---\nname: A\n---\nDo." }],
      ["Unrecognized key", { a: "---\nname: A\nwhen: x\ncolour: red\n---\nDo." }],
      ["the prompt below the header is missing", { a: head }],
      ["the prompt has more than 20000 characters", { a: `${head}${"x".repeat(20_001)}` }],
      ["no mode has default: true", { general: `${head}Do.` }],
      [
        "several modes have default: true",
        {
          a: "---\nname: A\nwhen: x\ndefault: true\n---\nDo.",
          b: "---\nname: B\nwhen: x\ndefault: true\n---\nDo.",
        },
      ],
      ["the modes directory … cannot be read", null],
    ];
    const table = text.slice(text.indexOf("| it says |"), text.indexOf("## What makes"));
    const told = [...table.matchAll(/^\| (`.*?`) \| /gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, said = ""]) => said),
    );
    expect(told).toEqual(provoked.map(([said]) => said));
    for (const [said, files] of provoked) {
      const directory = scratch("modes-wrong");
      for (const [key, content] of Object.entries(files ?? {}))
        writeFileSync(join(directory, `${key}.md`), content);
      const read = readCatalogue(files === null ? join(directory, "none") : directory);
      const problems = read.kind === "invalid" ? read.problems.join("\n").replaceAll("`", "") : "";
      for (const part of said.split("…")) expect(problems).toContain(part.trim());
    }
  });
});
