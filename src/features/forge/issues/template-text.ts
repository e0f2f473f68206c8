/** Describes templates to the model. Pure. All of their content is quoted. */

import { quoteUntrusted } from "../../../text/quotes.ts";
import type { FormField, IssueTemplate, TemplateConfig } from "./template.ts";

const MAX_TEMPLATE = 6_000;

export const templateText = (template: IssueTemplate, host: string): string => {
  const { file, name, about, title, labels } = template;
  const lines = [
    `${file}: ${name}`,
    ...(about === "" ? [] : [about]),
    ...(title === "" ? [] : [`The title begins with: ${title}`]),
    ...(labels.length === 0 ? [] : [`Labels: ${labels.join(", ")}`]),
    "",
    ...(template.kind === "form" ? template.fields.map(fieldText) : [template.text]),
  ];
  const kind = template.kind === "form" ? "A form, answered in `fields`" : "A text, filled in `body`";
  return `${kind}:\n${quoted(lines.join("\n"), host)}`;
};

/** Empty if the repository has no settings for its templates. */
export const configText = ({ isBlankAllowed, links }: TemplateConfig, host: string): string =>
  [
    isBlankAllowed
      ? 'With `template: "blank"`, the issue needs no template.'
      : "Without `template`, file_issue lists the templates.",
    ...(links.length === 0
      ? []
      : [
          `Other places for reports:\n${quoted(links.map(({ name, url, about }) => `${name}: ${url} ${about}`).join("\n"), host)}`,
        ]),
  ].join("\n");

export const problemsText = (problems: readonly string[], host: string): string =>
  quoted(problems.join("\n"), host);

const quoted = (text: string, host: string): string =>
  quoteUntrusted({ author: host, at: Number.NaN, text }, MAX_TEMPLATE);

const fieldText = (field: FormField): string => {
  const { id, label, about, isRequired } = field;
  const need = isRequired ? ", required" : "";
  const told = about === "" ? "" : ` ${about.replaceAll(/\s+/g, " ")}`;
  switch (field.kind) {
    case "text":
      return `${id} (text${need}): ${label}.${told}${field.value === "" ? "" : ` Prepared text: ${field.value}`}`;
    case "dropdown":
      return `${id} (${field.isMultiple ? "options" : "one option"}${need}): ${label}.${told} Options: ${field.options.join(" | ")}`;
    case "checkboxes":
      return `${id} (boxes to check): ${label}.${told} ${field.boxes.map((box) => `${box.label}${box.isRequired ? " (required)" : ""}`).join(" | ")}`;
  }
};
