/** Templates: read from foreign text within limits, and filled so that every answer stays in its place. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { likelyDuplicates, titleWords } from "../../../../src/features/forge/issues/duplicates.ts";
import { fillIssueTemplate } from "../../../../src/features/forge/issues/fill.ts";
import {
  type FormField,
  type IssueForm,
  readIssueForm,
  readTextTemplate,
} from "../../../../src/features/forge/issues/template.ts";
import { readForeignYaml } from "../../../../src/features/forge/issues/yaml.ts";
import type { SimilarIssue } from "../../../../src/features/forge/ports/project.ts";

const formOf = (fields: readonly FormField[]): IssueForm => ({
  kind: "form",
  file: "f.yml",
  name: "F",
  about: "",
  title: "",
  labels: [],
  fields,
});

const line = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== "");

it("any answer to a code field is inside one fence, whatever backticks it has", () => {
  const field = {
    id: "a",
    label: "A",
    about: "",
    isRequired: true,
    kind: "text",
    value: "",
    render: "sh",
  } as const;
  fc.assert(
    fc.property(fc.stringMatching(/^[`a\n ]{1,40}$/), (answer) => {
      fc.pre(answer.trim() !== "");
      const filled = fillIssueTemplate(formOf([field]), { title: "T", body: "", fields: { a: answer } });
      if (filled.kind === "wrong") throw new Error(filled.problems.join());
      const [head = "", blank, open = "", ...rest] = filled.text.split("\n");
      const fence = open.replace("sh", "");
      expect([head, blank, rest.at(-1)]).toEqual(["### A", "", fence]);
      expect(rest.slice(0, -1).every((one) => !one.trim().startsWith(fence))).toBe(true);
    }),
    { numRuns: 300 },
  );
});

it("a form takes its own options and boxes and nothing else", () => {
  fc.assert(
    fc.property(fc.uniqueArray(line, { minLength: 1, maxLength: 5 }), line, (options, other) => {
      const known = options.map((one) => one.trim());
      const head = { id: "a", label: "A", about: "", isRequired: true };
      const drop = { ...head, kind: "dropdown", options: known, isMultiple: true, chosen: null } as const;
      const fill = (answer: string) =>
        fillIssueTemplate(formOf([drop]), { title: "T", body: "", fields: { a: answer } }).kind;
      expect(fill(known[0] ?? "")).toBe("filled");
      const isKnown = known.some((one) => one.toLowerCase() === other.trim().toLowerCase());
      expect(fill(other)).toBe(isKnown ? "filled" : "wrong");
    }),
  );
});

it("YAML that would block the host for minutes, grow without end or is none leaves no value", async () => {
  const bomb = ["a: &a [x,x,x,x,x,x,x,x,x]"];
  for (let index = 0; index < 12; index += 1)
    bomb.push(
      `b${index}: &b${index} [${Array.from({ length: 9 }, () => (index === 0 ? "*a" : `*b${index - 1}`)).join()}]`,
    );
  const [slow, big, wrong, fine] = await Promise.all([
    readForeignYaml("? ".repeat(16_000), 500),
    readForeignYaml(bomb.join("\n")),
    readForeignYaml("a: [\n"),
    readForeignYaml("name: [x, 1]\n"),
  ]);
  expect([slow, big, wrong, fine]).toEqual([undefined, undefined, undefined, { name: ["x", 1] }]);
});

const oddYaml = (text: string): Promise<unknown> =>
  Promise.resolve(text.length % 2 === 0 ? { name: text, body: [text, 1, {}] } : text);

it("any text is a text template, and any text is a form or none", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ maxLength: 200 }), fc.boolean(), async (text, hasHead) => {
      const read = await readTextTemplate("t.md", hasHead ? `---\n${text}\n---\n${text}` : text, oddYaml);
      expect([read.kind, typeof read.text, typeof read.title]).toEqual(["text", "string", "string"]);
      const form = await readIssueForm("t.yml", text, oddYaml);
      expect(form === null || form.kind === "form").toBe(true);
    }),
  );
});

const loosely = () =>
  Promise.resolve({
    name: 7,
    labels: "bug, help wanted",
    title: null,
    body: [
      { type: "input", attributes: { label: 2.1 }, validations: { required: true } },
      { type: "upload" },
    ],
  });

it("a name, labels and a title that YAML reads as other types are text all the same", async () => {
  expect(await readIssueForm("f.yml", "", loosely)).toMatchObject({
    name: "7",
    labels: ["bug", "help wanted"],
    title: "",
    fields: [{ id: "field-1", label: "2.1", isRequired: true, kind: "text" }],
  });
});

const NOW = Date.UTC(2026, 10, 2);
const issue = (no: number, title: string, closedAt: number | null = null): SimilarIssue => ({
  number: no,
  title,
  state: closedAt === null ? "open" : "closed",
  isPull: false,
  url: `https://forge.example/${no}`,
  author: "ana",
  at: 0,
  closedAt,
});

it("duplicates share half of their words, are open or closed within 90 days, and are three at most", () => {
  const day = 24 * 60 * 60_000;
  const found = [
    issue(1, "Uploads fail with large files"),
    issue(2, "Large uploads fail", NOW - 89 * day),
    issue(3, "Large uploads fail", NOW - 91 * day),
    issue(4, "Release notes"),
    issue(5, "large UPLOADS: fail"),
    issue(6, "Large uploads fail on Windows"),
    issue(7, "Uploads fail"),
  ];
  const likely = likelyDuplicates("Large uploads fail", found, NOW);
  expect(likely.map(({ number, isSame }) => [number, isSame])).toEqual([
    [5, true],
    [2, false],
    [6, false],
  ]);
});

it("no title is similar to one without common words, and equal titles always are", () => {
  fc.assert(
    fc.property(line, line, (title, other) => {
      const same = likelyDuplicates(title, [issue(1, title)], NOW);
      expect(same.map(({ isSame }) => isSame)).toEqual([true]);
      const words = new Set(titleWords(title));
      const isApart = titleWords(other).every((word) => !words.has(word));
      const found = likelyDuplicates(title, [issue(1, other)], NOW);
      if (isApart && titleWords(other).length > 0 && words.size > 0) expect(found).toEqual([]);
    }),
  );
});
