/** The catalogues: each has every sentence, with the same places for values, and none that nobody says. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applicationCommands } from "../../adapters/discord/receive/commands.ts";
import { chatCommands } from "../../src/app/commands.ts";
import { ACTION_LABELS, CHOICE_LABELS } from "../../src/thread/wording.ts";
import { sayIn } from "../../src/i18n/languages.ts";
import { type Label, LANGUAGES, languageIn } from "../../src/i18n/say.ts";

const root = join(import.meta.dirname, "../..");
const others = LANGUAGES.filter((one) => one !== "en");
const sentences = Object.keys(sayIn("de").words);

const sources = ["src", "adapters"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(ts|md)$/.test(name))
      .map((name) => readFileSync(join(root, folder, name), "utf8")),
  )
  .join("\n");

const placesIn = (text: string): readonly string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

const codeIn = (text: string): readonly string[] => (text.match(/`[^`]+`/g) ?? []).toSorted();

/** What stands in quotation marks in a source. */
const literals = new Set(
  Array.from(sources.matchAll(/"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'/g), ([, text, plain = ""]) => text ?? plain),
);

const isSaid = (text: string): boolean =>
  literals.has(text) || [JSON.stringify(text), `when: ${text}`].some((one) => sources.includes(one));

describe.each(others)("in %s", (language) => {
  const { words } = sayIn(language);

  it("no sentence is missing, and none is there that German lacks", () => {
    expect(Object.keys(words).toSorted()).toEqual(sentences.toSorted());
    expect(Object.entries(words).filter(([, said]) => said.trim() === "")).toEqual([]);
  });

  it("every place for a value is there, as often as in English", () => {
    const wrong = Object.entries(words).filter(
      ([english, said]) => placesIn(english).join() !== placesIn(said).join(),
    );
    expect(wrong).toEqual([]);
  });

  it("what is code stays as it is typed", () => {
    const wrong = Object.entries(words).filter(
      ([english, said]) => codeIn(english).join() !== codeIn(said).join(),
    );
    expect(wrong).toEqual([]);
  });

  it("buttons, forms and descriptions are as short as the platforms want them", () => {
    const longest = Object.fromEntries(
      Object.entries(words).flatMap(([english, said]) => {
        const most = mostOf(english);
        return most !== null && said.length > most ? [[english, `${said.length} of ${most}`]] : [];
      }),
    );
    expect(longest).toEqual({});
  });
});

/** Characters that a label has room for: as a button of either platform, as the title of a form, as a description. */
const mostOf = (english: string): number | null => {
  if (DESCRIPTIONS.has(english)) return 100;
  if (TITLES.has(english)) return 24;
  return BUTTONS.has(english) ? 75 : null;
};

const TITLES: ReadonlySet<string> = new Set<Label>(["Ask Parley", "Deny", "Ask for changes", "Steps"]);

const BUTTONS: ReadonlySet<string> = new Set([
  ...Object.values(CHOICE_LABELS),
  ...Object.values(ACTION_LABELS),
  "Apply the first commit",
  "Deny, and say why",
  "Steps",
  "Stop and send this",
  "Send when done",
  "Add to this turn",
  "Solved",
  "Ask a maintainer",
  "Older",
  "Newer",
  "Whole output",
]);

const DESCRIPTIONS: ReadonlySet<string> = new Set([
  ...Array.from(
    JSON.stringify(applicationCommands(chatCommands.menu)).matchAll(/"description":"((?:[^"\\]|\\.)*)"/g),
    ([, one = ""]) => one,
  ),
  ...chatCommands.all.map(({ help }) => help.does),
]);

it("no sentence is kept that nobody says", () => {
  expect(sentences.filter((one) => !isSaid(one))).toEqual([]);
});

it("a language is known by its tags, the first that there are words for; Traditional Chinese is another one", () => {
  expect(languageIn(["pt-BR", "de-AT", "en"])).toBe("de");
  expect(languageIn(["es-419"])).toBe("es");
  expect(languageIn(["zh-Hans-CN"])).toBe("zh");
  expect(languageIn(["zh-CN"])).toBe("zh");
  expect(languageIn(["zh-TW", "ja"])).toBe("ja");
  expect(languageIn(["zh-Hant-HK"])).toBeNull();
  expect(languageIn(["*", ""])).toBeNull();
});

it("values are put in as they are, whatever they hold", () => {
  const say = sayIn("de");
  expect(say("Stopped by {by}.", { by: "{by} $& $1" })).toBe("Angehalten von {by} $& $1.");
  expect(say.stored("words of a person, in no catalogue")).toBe("words of a person, in no catalogue");
});
