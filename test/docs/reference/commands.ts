/** Commands: the text of `parley help`, and the scripts of package.json for developers. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { usageText } from "../../../src/app/cli/parley.ts";
import { root } from "../../app/cli/host.ts";
import { code, table } from "./markdown.ts";

const USAGE = await usageText();

export interface Command {
  /** As it is typed after `parley`, one form each: `sandbox --probe`. */
  readonly form: string;
  readonly does: string;
}

export const commands = (): string => {
  const rows = listed().map(({ form, does }) => [code(`parley ${form}`), does]);
  const others = Object.keys(scripts()).filter((name) => name !== "start" && !isParley(name));
  return [
    table(["command", "does"], rows),
    `In a clone, developers also have ${others.map(code).join(", ")} ([CONTRIBUTING.md](../CONTRIBUTING.md)).`,
  ].join("\n\n");
};

const listed = (): readonly Command[] => {
  const found: { form: string; does: string }[] = [];
  for (const line of USAGE.split("\n").slice(1)) {
    const [, form, does = ""] = /^ {2}(\S.*?)(?: {2,}(\S.*))?$/.exec(line) ?? [];
    const last = found.at(-1);
    if (form !== undefined) found.push({ form, does });
    else if (last !== undefined) last.does = [last.does, line.trim()].join(" ").trim();
  }
  return found;
};

const isParley = (script: string): boolean => (scripts()[script] ?? "").endsWith(`bin/parley.js ${script}`);

const scripts = (): Readonly<Record<string, string>> =>
  z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8"))).scripts;
