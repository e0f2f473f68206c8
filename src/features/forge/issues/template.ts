/** Templates of issues: Markdown with a YAML head, and GitHub's issue forms. Templates are untrusted content. */

import { z } from "zod";
import { oneLine } from "../../../text/one-line.ts";

interface TemplateHead {
  /** Name of the file, which is the name of the template for the model. */
  readonly file: string;
  readonly name: string;
  readonly about: string;
  /** Beginning of the title; empty if the template has none. */
  readonly title: string;
  readonly labels: readonly string[];
}

export interface TextTemplate extends TemplateHead {
  readonly kind: "text";
  readonly text: string;
}

export interface IssueForm extends TemplateHead {
  readonly kind: "form";
  readonly fields: readonly FormField[];
}

export type IssueTemplate = TextTemplate | IssueForm;

interface FieldHead {
  readonly id: string;
  readonly label: string;
  readonly about: string;
  readonly isRequired: boolean;
}

export type FormField = FieldHead &
  (
    | {
        readonly kind: "text";
        /** The form's own text, which an answer replaces. */
        readonly value: string;
        /** Language of the code block that contains the answer; null for prose. */
        readonly render: string | null;
      }
    | {
        readonly kind: "dropdown";
        readonly options: readonly string[];
        readonly isMultiple: boolean;
        readonly chosen: string | null;
      }
    | { readonly kind: "checkboxes"; readonly boxes: readonly FormBox[] }
  );

export interface FormBox {
  readonly label: string;
  readonly isRequired: boolean;
}

export interface TemplateConfig {
  readonly isBlankAllowed: boolean;
  readonly links: readonly { readonly name: string; readonly url: string; readonly about: string }[];
}

type ReadYaml = (text: string) => Promise<unknown>;

const MAX_FIELDS = 50;
const MAX_OPTIONS = 100;
const MAX_NAME = 200;
const MAX_ABOUT = 1_000;
const MAX_VALUE = 10_000;

const short = z.string().transform((text) => oneLine(text).slice(0, MAX_NAME));
const about = z.string().transform((text) => text.trim().slice(0, MAX_ABOUT));
/** A number or a boolean without quotes is meant as text, such as a version. */
const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String).pipe(short);
const names = z
  .union([z.string().transform((text) => text.split(",")), z.array(z.unknown()).max(MAX_OPTIONS)])
  .transform((list) =>
    list.flatMap((one) => {
      const read = scalar.safeParse(one);
      return read.success && read.data !== "" ? [read.data] : [];
    }),
  );

const head = z.object({
  name: scalar.catch(""),
  about: about.optional().catch(undefined),
  description: about.optional().catch(undefined),
  title: scalar.catch(""),
  labels: names.catch([]),
});

/** A head begins with three dashes on the first line. */
const HEAD = /^---[^\S\n]*\n([^]*?\n)?---[^\S\n]*(?:\n|$)/;

export const readTextTemplate = async (file: string, text: string, yaml: ReadYaml): Promise<TextTemplate> => {
  const lines = text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const front = HEAD.exec(lines);
  const read = head.safeParse(front === null ? {} : await yaml(front[1] ?? ""));
  return {
    kind: "text",
    ...headOf(file, read.success ? read.data : head.parse({})),
    text: (front === null ? lines : lines.slice(front[0].length)).trim(),
  };
};

const headOf = (
  file: string,
  { name, about: told, description, title, labels }: z.output<typeof head>,
): TemplateHead => ({
  file,
  name: name === "" ? file.replace(/\.\w+$/, "") : name,
  about: told ?? description ?? "",
  title,
  labels,
});

const attributes = z.object({
  label: scalar.catch(""),
  description: about.catch(""),
  value: z.string().max(MAX_VALUE).catch(""),
  render: z
    .string()
    .regex(/^[\w+#.-]{1,40}$/)
    .nullable()
    .catch(null),
  multiple: z.boolean().catch(false),
  default: z.int().nullable().catch(null),
  options: z.array(z.unknown()).max(MAX_OPTIONS).catch([]),
});
const required = z.object({ required: z.boolean().catch(false) }).catch({ required: false });
const element = z.object({
  type: z.string(),
  id: z
    .string()
    .regex(/^[\w-]{1,60}$/)
    .optional()
    .catch(undefined),
  attributes,
  validations: required,
});
const box = z.object({ label: short, required: z.boolean().catch(false) });

/** Null if the text is no form that GitHub would display. */
export const readIssueForm = async (
  file: string,
  text: string,
  yaml: ReadYaml,
): Promise<IssueForm | null> => {
  const form = head.extend({ body: z.array(z.unknown()).max(MAX_FIELDS) }).safeParse(await yaml(text));
  if (!form.success || form.data.name === "") return null;
  const fields = form.data.body.flatMap((given, index): readonly FormField[] => {
    const read = element.safeParse(given);
    const field = read.success ? fieldOf(read.data, `field-${index + 1}`) : null;
    return field === null ? [] : [field];
  });
  return fields.length === 0 ? null : { kind: "form", ...headOf(file, form.data), fields };
};

/** Null for instructions, and for elements that only a browser can fill. */
const fieldOf = (
  { type, id, attributes: given, validations }: z.output<typeof element>,
  otherwise: string,
): FormField | null => {
  const { label, description, value, render, multiple, default: chosen, options } = given;
  const common = { id: id ?? otherwise, label, about: description, isRequired: validations.required };
  switch (type) {
    case "input":
      return { ...common, kind: "text", value, render: null };
    case "textarea":
      return { ...common, kind: "text", value, render };
    case "dropdown": {
      const known = names.parse(options);
      const isMultiple = multiple;
      return {
        ...common,
        kind: "dropdown",
        options: known,
        isMultiple,
        chosen: chosen === null ? null : (known[chosen] ?? null),
      };
    }
    case "checkboxes": {
      const boxes = options.flatMap((one): readonly FormBox[] => {
        const read = box.safeParse(one);
        return read.success ? [{ label: read.data.label, isRequired: read.data.required }] : [];
      });
      return { ...common, kind: "checkboxes", boxes };
    }
    default:
      return null;
  }
};

const config = z.object({
  blank_issues_enabled: z.boolean().catch(true),
  contact_links: z
    .array(z.object({ name: short, url: z.string().max(MAX_NAME), about: about.catch("") }))
    .max(10)
    .catch([]),
});

/** A wrong file permits blank issues, like a missing one. */
export const readTemplateConfig = async (text: string, yaml: ReadYaml): Promise<TemplateConfig> => {
  const read = config.safeParse(await yaml(text));
  return read.success
    ? { isBlankAllowed: read.data.blank_issues_enabled, links: read.data.contact_links }
    : NO_CONFIG;
};

export const NO_CONFIG: TemplateConfig = { isBlankAllowed: true, links: [] };
