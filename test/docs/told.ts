/** Which commands the pages tell people to type: shell blocks, and code that begins like one, in whatever block or span. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../app/cli/host.ts";

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
    return [...inShellBlocks(text), ...inOtherBlocks(text), ...inSpans(text)].map((command) => ({
      page,
      command,
    }));
  });

/** Each line, with those that a backslash continues, without what a comment says. */
const inShellBlocks = (text: string): readonly string[] =>
  blocksOf(text)
    .filter(({ language }) => /^(?:sh|bash|shell|console)$/.test(language))
    .flatMap(({ lines }) =>
      lines
        .replaceAll(/\\\n\s*/g, "")
        .split("\n")
        .map((line) => line.replace(/(?:^|\s+)# .*$/, "").trim())
        .filter((line) => line !== ""),
    );

/** A block that says it is no shell's, and yet has a command to type. */
const inOtherBlocks = (text: string): readonly string[] =>
  blocksOf(text)
    .filter(({ language }) => language === "" || language === "text" || language === "ini")
    .flatMap(({ lines }) => lines.split("\n").map((line) => line.trim()))
    .filter((line) => COMMAND.test(line));

export const blocksOf = (text: string): readonly { readonly language: string; readonly lines: string }[] =>
  [...text.matchAll(/^ *```(\w*)\n([^]*?)^ *```$/gm)].map(([, language = "", lines = ""]) => ({
    language,
    lines,
  }));

const inSpans = (text: string): readonly string[] =>
  [...withoutBlocks(text).matchAll(/`([^`]+)`/g)]
    .map(([, span = ""]) => span.replaceAll(/\s*\n\s*/g, " "))
    .filter((span) => COMMAND.test(span));

const withoutBlocks = (text: string): string => text.replaceAll(/^ *```[^]*?^ *```$/gm, "");

/** Chat has `/parley` and `@parley`; those are no shell's. */
const COMMAND =
  /^(?:[A-Z_]+=\S+ )?(?:npm|npx|node|parley|git|docker|kubectl|sudo|curl|ssh|ssh-keyscan|systemctl|journalctl|apt|apt-get|cp|mv|rm|cd|mkdir|chmod|bash|sh|python3?|pip|apparmor_parser|sysctl|systemd-\w+) \S/;
