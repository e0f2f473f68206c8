/** Settings: `.env.example`, which a test holds to be what src/app/settings/config.ts reads. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../app/cli/host.ts";
import { code, table } from "./markdown.ts";

interface Section {
  readonly title: string;
  /** What a line of `#` alone ends: said of all of them. */
  about: string;
  readonly settings: { readonly name: string; readonly value: string; readonly means: string }[];
}

export const environment = (): string =>
  sections()
    .map(({ title, about, settings }) => {
      const rows = settings.map(({ name, value, means }) => [
        code(name),
        value === "" ? "" : code(value),
        withoutDefault(means, value),
      ]);
      const lines = table(["variable", "default", "meaning"], rows);
      return [`### ${title}`, ...(about === "" ? [] : [about]), lines].join("\n\n");
    })
    .join("\n\n");

const sections = (): readonly Section[] => {
  const found: Section[] = [];
  let comment: string[] = [];
  for (const line of readFileSync(join(root, ".env.example"), "utf8").split("\n")) {
    const title = /^# ── (.*?) ─+$/.exec(line)?.[1];
    const [, name, value = ""] = /^([A-Z0-9_]+)=(.*)$/.exec(line) ?? [];
    if (title !== undefined) {
      found.push({ title: title.replace(/\(docs\/(.*)\)/, "([guide]($1))"), about: "", settings: [] });
      comment = [];
    } else if (name !== undefined) {
      found.at(-1)?.settings.push({ name, value, means: comment.join(" ") });
      comment = [];
    } else if (line === "#") {
      const section = found.at(-1);
      if (section !== undefined) section.about = comment.join(" ");
      comment = [];
    } else if (line.startsWith("# ")) comment.push(line.slice(2));
  }
  return found;
};

/** The column of defaults has values, and is empty without a default. */
const withoutDefault = (meaning: string, value: string): string =>
  meaning.replace(value === "" ? / Default: none$/ : ` Default: ${value}`, "").replace(/\.\.?$/, ".");
