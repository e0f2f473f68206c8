/** Fills a template as a person would in a browser. Pure. */

import type { FormField, IssueForm, IssueTemplate, TextTemplate } from "./template.ts";

type FieldAnswers = Readonly<Record<string, string | readonly string[]>>;

interface GivenIssue {
  readonly title: string;
  readonly body: string;
  readonly fields: FieldAnswers;
}

export type FilledIssue =
  | { readonly kind: "filled"; readonly title: string; readonly text: string }
  /** Lines for the model, each with a problem. */
  | { readonly kind: "wrong"; readonly problems: readonly string[] };

export const fillIssueTemplate = (template: IssueTemplate, given: GivenIssue): FilledIssue => {
  const filled =
    template.kind === "form" ? fillForm(template, given) : withHeadings(template, given.body.trim());
  if (filled.kind === "wrong") return filled;
  const begin = template.title.trim();
  const title = given.title.toLowerCase().startsWith(begin.toLowerCase())
    ? given.title
    : `${begin} ${given.title}`;
  return { ...filled, title: title.trim() };
};

type FilledText =
  | { readonly kind: "filled"; readonly text: string }
  | Extract<FilledIssue, { kind: "wrong" }>;

const fillForm = ({ fields }: IssueForm, given: GivenIssue): FilledText => {
  const known = new Set(fields.map(({ id }) => id));
  const unknown = Object.keys(given.fields).filter((id) => !known.has(id));
  const parts = fields.map((field) => partOf(field, given.fields[field.id] ?? null));
  const problems = [
    ...(given.body.trim() === "" ? [] : ["`body` does not belong to a form: leave it out and use `fields`."]),
    ...unknown.map((id) => `The form has no field ${JSON.stringify(id.slice(0, 60))}.`),
    ...parts.flatMap((part) => ("problem" in part ? [part.problem] : [])),
  ];
  if (problems.length > 0) return { kind: "wrong", problems };
  return { kind: "filled", text: parts.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n\n") };
};

type Part = { readonly text: string } | { readonly problem: string };

/** GitHub's own words for an answer that a person left out. */
const NO_RESPONSE = "_No response_";

const partOf = (field: FormField, given: string | readonly string[] | null): Part => {
  const { id, label, isRequired } = field;
  const list = given === null ? [] : typeof given === "string" ? [given] : given;
  const answers = list.map((one) => one.trim()).filter((one) => one !== "");
  const missing = { problem: `\`${id}\` is required and missing.` };
  const section = (text: string): Part => ({ text: `### ${label}\n\n${text === "" ? NO_RESPONSE : text}` });
  switch (field.kind) {
    case "text": {
      const text = (given === null ? field.value : answers.join("\n")).trim();
      if (text === "" && isRequired) return missing;
      return section(text === "" || field.render === null ? text : fenced(text, field.render));
    }
    case "dropdown": {
      const chosen = given === null && field.chosen !== null ? [field.chosen] : answers;
      const known = chosen.map((one) => ({ one, found: matching(field.options, one) }));
      const wrong = known.find(({ found }) => found === null);
      if (wrong !== undefined)
        return { problem: `\`${id}\` has no option ${JSON.stringify(wrong.one.slice(0, 80))}.` };
      if (known.length === 0 && isRequired) return missing;
      if (known.length > 1 && !field.isMultiple) return { problem: `\`${id}\` takes one option.` };
      return section(known.flatMap(({ found }) => found ?? []).join(", "));
    }
    case "checkboxes": {
      const labels = field.boxes.map((one) => one.label);
      const wrong = answers.find((one) => matching(labels, one) === null);
      if (wrong !== undefined)
        return { problem: `\`${id}\` has no box ${JSON.stringify(wrong.slice(0, 80))}.` };
      const checked = new Set(answers.flatMap((one) => matching(labels, one) ?? []));
      if (field.boxes.some((one) => one.isRequired && !checked.has(one.label)))
        return { problem: `\`${id}\` has a box that must be checked.` };
      return section(labels.map((one) => `- [${checked.has(one) ? "x" : " "}] ${one}`).join("\n"));
    }
  }
};

const matching = (known: readonly string[], given: string): string | null =>
  known.find((one) => one === given) ??
  known.find((one) => one.toLowerCase() === given.toLowerCase()) ??
  null;

/** The fence is longer than any row of backticks in the text, which therefore cannot end it. */
const fenced = (text: string, language: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
};

const withHeadings = (template: TextTemplate, body: string): FilledText => {
  if (body === "") return { kind: "wrong", problems: ["`body` is missing: fill the template there."] };
  const present = new Set(headingsIn(body));
  const missing = headingsIn(template.text).filter((one) => !present.has(one));
  return missing.length === 0
    ? { kind: "filled", text: body }
    : {
        kind: "wrong",
        problems: missing
          .slice(0, MAX_PROBLEMS)
          .map((one) => `\`body\` lacks the heading ${JSON.stringify(one.slice(0, 120))}.`),
      };
};

const MAX_PROBLEMS = 20;

/** Headings outside of comments and code, in lower case and without marks. */
const headingsIn = (markdown: string): readonly string[] => {
  let fence: string | null = null;
  return withoutComments(markdown)
    .split("\n")
    .flatMap((line) => {
      const [, marks = null] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
      if (marks !== null) {
        if (fence === null) fence = marks;
        else if (marks.startsWith(fence)) fence = null;
        return [];
      }
      const [, heading = ""] = fence === null ? (/^ {0,3}#{1,6}\s+(\S.*)$/.exec(line) ?? []) : [];
      const plain = heading
        .replaceAll(/[*_`#:]/g, "")
        .trim()
        .toLowerCase();
      return plain === "" ? [] : [plain];
    });
};

const withoutComments = (markdown: string): string =>
  markdown
    .split("<!--")
    .map((part, index) => {
      if (index === 0) return part;
      const end = part.indexOf("-->");
      return end < 0 ? "" : part.slice(end + 3);
    })
    .join("");
