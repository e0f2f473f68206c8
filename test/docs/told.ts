/** Which commands the pages tell people to type: shell blocks, and code that begins like one. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../cli/host.ts";

export interface Told {
  readonly page: string;
  readonly command: string;
}

/** The reference is made from the code, its commands too. */
export const pages: readonly string[] = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md") && name !== "reference.md")
    .map((name) => `docs/${name}`),
];

export const readPage = (page: string): string => readFileSync(join(root, page), "utf8");

export const toldCommands = (): readonly Told[] =>
  pages.flatMap((page) => {
    const text = readPage(page);
    return [...inBlocks(text), ...inSpans(text)].map((command) => ({ page, command }));
  });

/** Each line of a shell block, with those that a backslash continues, without what a comment says. */
const inBlocks = (text: string): readonly string[] =>
  [...text.matchAll(/^ *```(?:sh|bash|shell|console)\n([^]*?)^ *```$/gm)].flatMap(([, block = ""]) =>
    block
      .replaceAll(/\\\n\s*/g, "")
      .split("\n")
      .map((line) => line.replace(/\s+# .*$/, "").trim())
      .filter((line) => line !== ""),
  );

const inSpans = (text: string): readonly string[] =>
  [...withoutBlocks(text).matchAll(/`([^`]+)`/g)]
    .map(([, span = ""]) => span.replaceAll(/\s*\n\s*/g, " "))
    .filter((span) => COMMAND.test(span));

const withoutBlocks = (text: string): string => text.replaceAll(/^ *```[^]*?^ *```$/gm, "");

/** Chat has `/parley` and `@parley`; those are no shell's. */
const COMMAND =
  /^(?:[A-Z_]+=\S+ )?(?:npm|npx|node|parley|git|docker|kubectl|sudo|curl|ssh|systemctl|journalctl|apt|apt-get|cp|systemd-\w+) \S/;
