import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countMasks, createLiveMask, MASK, maskSecrets } from "../../../src/text/secrets/known-forms.ts";
import { harmless, keyBlock, parts, whole } from "./secret-samples.ts";
import { growthFault } from "../../linear/growth.ts";

const all = [...Object.values(whole), ...parts.map(({ text }) => text), keyBlock(""), keyBlock("EC ")];

describe("a value of a known form", () => {
  it.each(Object.entries(whole))("%s is masked whole, wherever it stands", (_, secret) => {
    for (const [before, after] of [
      ["", ""],
      ["token: ", "\n"],
      ['"', '"'],
      ["`", "`."],
      ["export X=", " # mine"],
      ["+  key: ", ","],
      ["Bearer ", ""],
      ["(", ")"],
    ] as const) {
      expect(maskSecrets(`${before}${secret}${after}`)).toBe(`${before}${MASK}${after}`);
    }
  });

  it.each(parts)("of $text only the secret is", ({ text, secret }) => {
    expect(maskSecrets(text)).toBe(text.replace(secret, MASK));
  });

  it("that Markdown's escapes interrupt is found", () => {
    expect(maskSecrets((whole["GitHub personal token"] ?? "").replace("_", "\\_"))).toBe(MASK);
    expect(maskSecrets((whole["Stripe secret key"] ?? "").replaceAll("_", "\\_"))).toBe(MASK);
  });

  it("is counted, each of them", () => {
    const secrets = Object.values(whole);
    expect(countMasks(maskSecrets(secrets.join(" and ")))).toBe(secrets.length);
  });
});

/** Of tests: values that were made up, which the name beside them or the place in an address gives away. */
const MADE_UP = /\/test\/.*(?:(?:token|secret|key|password)["']?(?: =|:|=) ?["'`]?|:\/\/)‹masked›/i;

describe("what is no secret stays", () => {
  it.each(harmless)("%s", (text) => expect(maskSecrets(text)).toBe(text));

  it("in all of Parley's own sources and documents", () => {
    const root = join(import.meta.dirname, "../../..");
    const files = ["src", "adapters", "docs", "sandbox", "test"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(ts|js|md|css|html|c|txt|json)$/.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name))
        // Its canaries have the forms of tokens.
        .filter((file) => !file.endsWith("canaries.test.ts")),
    );
    const changed = files.flatMap((file) => {
      const text = readFileSync(file, "utf8");
      const masked = maskSecrets(text);
      const before = masked === text ? [] : text.split("\n");
      const lines = masked.split("\n");
      return before.flatMap((line, at) => (line === lines[at] ? [] : `${file}:${at + 1} ${lines[at]}`));
    });
    expect(changed.filter((line) => !MADE_UP.test(line))).toEqual([]);
    expect(changed.length).toBeGreaterThan(5);
  });
});

/** Words, secrets, the beginnings of forms and whatever may tear them apart. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(...all, ...harmless, MASK),
      fc.constantFrom(...all).chain((text) => fc.nat(text.length).map((end) => text.slice(0, end))),
      fc.constantFrom(...all).chain((text) => fc.nat(text.length).map((from) => text.slice(from))),
      fc.constantFrom("\n", " ", "", ":", "@", "://", "_", "-", ".", "```\n", "漢字", "aB3", "‹", "\\n"),
      fc.string({ maxLength: 12 }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(""));

describe("laws", () => {
  it("S1 idempotent, S2 no longer", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const masked = maskSecrets(text);
        expect(maskSecrets(masked)).toBe(masked);
        expect(masked.length).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 500 },
    );
  });

  it("no secret that stands alone between spaces is left", () => {
    fc.assert(
      fc.property(texts, fc.constantFrom(...Object.values(whole)), texts, (before, secret, after) => {
        fc.pre(!before.includes(secret) && !after.includes(secret));
        expect(maskSecrets(`${before} ${secret} ${after}`)).not.toContain(secret);
      }),
      { numRuns: 300 },
    );
  });

  it("S4 what is shown of a growing text is the beginning of the whole, masked, and never taken back", () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(400), { maxLength: 30 }), (text, steps) => {
        const live = createLiveMask();
        const masked = maskSecrets(text);
        let before = "";
        let at = 0;
        for (const step of [...steps, text.length]) {
          at = Math.min(text.length, at + step);
          const shown = live.next(text.slice(0, at));
          expect(masked.slice(0, shown.length)).toBe(shown);
          expect(shown.slice(0, before.length)).toBe(before);
          before = shown;
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("a text that is being written", () => {
  it("may have keys that begin where others end", () => {
    const text = `${keyBlock("")}${keyBlock("RSA ")}${keyBlock("")} and more\n`;
    const live = createLiveMask();
    const shown = Array.from(text, (_, end) => live.next(text.slice(0, end + 1)));
    for (const one of shown) expect(maskSecrets(text).startsWith(one)).toBe(true);
    expect(shown.at(-1)).toBe(maskSecrets(text));
  });

  it.each(all)("shows no half of %s, one character at a time", (secret) => {
    const live = createLiveMask();
    const text = `It is ${secret} and that is all.\nReally.`;
    const masked = maskSecrets(text);
    for (let end = 0; end <= text.length; end += 1) {
      const shown = live.next(text.slice(0, end));
      expect(masked.slice(0, shown.length)).toBe(shown);
    }
    // A key whose last line never comes is held back to the end.
    const isOver = !secret.includes("BEGIN") || secret.includes("END ");
    const end = isOver ? masked.lastIndexOf("\n") + 1 : masked.indexOf(MASK);
    expect(live.next(text)).toBe(masked.slice(0, end));
  });

  it("begins anew with another text", () => {
    const live = createLiveMask();
    expect(live.next("one two\nthree four")).toBe("one two\nthree ");
    expect(live.next("")).toBe("");
    expect(live.next("five six")).toBe("five ");
  });
});

describe("time grows with the text and no faster", () => {
  const [BEGIN = ""] = keyBlock("").split("\n");
  it.each([
    ["prose", "Some words in a sentence, and more. "],
    ["one word", "a"],
    ["hexadecimal", "0a1b2c3d4e5f6789"],
    ["base64", "aB3dE5gH7jK9mN1pQ+/"],
    ["addresses", "https://a:b@c "],
    ["half addresses", "://a:"],
    ["marks of addresses", ":"],
    ["beginnings of keys", `${BEGIN}\n`],
    ["a key without end", (size: number) => later(`${BEGIN}\n`, "aB3dE5gH7jK9mN1p\n")(size)],
    ["beginnings of signed tokens", ".eyJaaaaaaaaaa"],
    ["many of every form", all.join("\n")],
    ["dots", "MMMM."],
    ["hints", "AKIA ghp_ sk- eyJ xoxb- npm_ :// AIza "],
  ])("%s", (_, made) => {
    expect(growthFault(maskSecrets, made, [50_000, 500_000])).toBeNull();
  });
});

const later =
  (begin: string, piece: string) =>
  (size: number): string =>
    begin + piece.repeat(Math.ceil(size / piece.length));
