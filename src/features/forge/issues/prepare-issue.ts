/** Prepares a new issue: filled into the repository's template, if there is one. Nothing is written. */

import { z } from "zod";
import { oneLine } from "../../../text/one-line.ts";
import { textField, Unable, valueOf } from "../../../tools/tool.ts";
import type { ForgeWriter, IssueDraft } from "../ports/forge-writer.ts";
import type { Project } from "../ports/project.ts";
import { fillIssueTemplate } from "./fill.ts";
import { findIssueTemplates } from "./find-templates.ts";
import { QuotedRefusal } from "./quoted-refusal.ts";
import { configText, problemsText, templateText } from "./template-text.ts";

export const MAX_ISSUE_TEXT = 20_000;
const MAX_FIELD = 10_000;
/** Name for an issue without a template. */
const BLANK = "blank";

export const issueFields = {
  body: textField
    .max(MAX_ISSUE_TEXT)
    .default("")
    .describe("Markdown: what happens, what should, how to see it. Empty for a form."),
  template: textField
    .max(100)
    .optional()
    .describe(`File name of the template that is filled; \`${BLANK}\` if none of them fits.`),
  fields: z
    .record(textField.max(60), z.union([textField.max(MAX_FIELD), z.array(textField.max(200)).max(50)]))
    .default({})
    .describe("Answers of a form by the id of the field: text, or a list of options or boxes."),
  notDuplicateOf: z
    .array(z.int().positive())
    .max(10)
    .default([])
    .describe("Numbers of the similar issues that you have read and that say something else."),
};

interface GivenIssue {
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly template?: string | undefined;
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
}

interface IssueContext {
  readonly desk: Pick<ForgeWriter, "unknownLabels">;
  readonly project: Project;
  readonly signal: AbortSignal;
}

interface PreparedIssue extends IssueDraft {
  /** File name of the filled template; null if there is none. */
  readonly template: string | null;
}

export const prepareIssue = async (
  given: GivenIssue,
  { desk, project, signal }: IssueContext,
  branch: string,
): Promise<PreparedIssue> => {
  const { template: wanted, labels } = given;
  const title = oneLine(given.title);
  const only = wanted === undefined || wanted === BLANK ? null : wanted;
  const { templates, config } = await findIssueTemplates(project, branch, signal, only);
  const isBlank = wanted === BLANK || (wanted === undefined && templates.length === 0);
  if (isBlank) {
    if (!config.isBlankAllowed) throw new QuotedRefusal(NO_BLANK, configText(config, project.host));
    if (given.body.trim() === "") throw new Unable("The text is missing: write it in `body`.");
    return { title, text: given.body, labels, template: null };
  }
  if (wanted === undefined)
    throw new QuotedRefusal(
      CHOOSE,
      [...templates.map((one) => templateText(one, project.host)), configText(config, project.host)].join(
        "\n\n",
      ),
    );
  const [template] = templates;
  if (template === undefined) throw new Unable(MISSING);
  const filled = fillIssueTemplate(template, { ...given, title });
  if (filled.kind === "wrong")
    throw new QuotedRefusal(
      INCOMPLETE,
      [problemsText(filled.problems, project.host), templateText(template, project.host)].join("\n\n"),
    );
  const unknown = valueOf(await desk.unknownLabels(template.labels, signal));
  const added = template.labels.filter((name) => !unknown.includes(name));
  return {
    title: filled.title.slice(0, MAX_TITLE),
    text: filled.text.slice(0, MAX_FILLED),
    labels: [...new Set([...labels, ...added])],
    template: template.file,
  };
};

/** GitHub takes 256 characters, and GitLab takes 255. */
const MAX_TITLE = 255;
/** GitHub takes 65,536 characters, including the signature. */
const MAX_FILLED = 60_000;

const CHOOSE =
  "The issue is not proposed yet: the repository has templates. Call file_issue again with `template`, and with `fields` for a form or the filled text in `body`.";
const NO_BLANK = "The repository takes no issue without one of its templates.";
const MISSING =
  "The repository has no readable template of that name. Without `template`, file_issue lists them.";
const INCOMPLETE =
  "The template is not filled as it requires. Call file_issue again; if you do not know an answer, ask the person in this conversation instead of inventing one.";
