/** A guide of docs/ as its reader has it: a clean clone, the steps, and what each gives to be typed or looked for. */

import { appendFileSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { expect, onTestFinished, vi } from "vitest";
import { root } from "../app/cli/host.ts";
import { scratch } from "../scratch.ts";

/** Without the packages that `npm install` would fetch, which are linked. */
export const cleanClone = async (): Promise<string> => {
  const clone = join(scratch("guide"), "parley");
  await execa`git -c safe.directory=* clone -q --depth 1 file://${root} ${clone}`;
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
  return clone;
};

/** The numbered step of a page, up to the next. */
export const stepsOf = (clone: string, page: string): ((no: number) => string) => {
  const text = readFileSync(join(clone, page), "utf8");
  return (no) => new RegExp(`^${no}\\. \\*\\*[^]*?(?=^${no + 1}\\. \\*\\*|^## )`, "m").exec(text)?.[0] ?? "";
};

export type Typed = ReturnType<typeof shellIn>;

/** A command as it is typed in the clone, without anything of this process's settings. */
export const shellIn =
  (clone: string) =>
  (command: string, env: Readonly<Record<string, string>> = {}) =>
    execa("sh", ["-c", command], {
      cwd: clone,
      extendEnv: false,
      env: { PATH: process.env["PATH"], HOME: clone, ...env },
      reject: false,
      all: true,
      detached: true,
    });

/** Settles when it has printed that line. */
export const startedWith = async (host: ReturnType<Typed>, line: string): Promise<void> => {
  const lines: string[] = [];
  host.all.on("data", (chunk: Buffer) => lines.push(chunk.toString()));
  onTestFinished(async () => {
    // npm and what it runs.
    if (host.pid !== undefined) process.kill(-host.pid, "SIGTERM");
    await host;
  });
  await vi.waitFor(() => expect(lines.join("")).toMatch(new RegExp(`^${line}$`, "m")));
};

/** What the guide gives to be typed or looked for, and matches. */
export const coded = (text: string, wanted: RegExp): string => {
  const found = [...text.matchAll(/`([^`\n]+)`/g)]
    .map(([, code = ""]) => code)
    .find((code) => wanted.test(code));
  if (found === undefined) throw new Error(`the guide has no ${wanted} in:\n${text}`);
  return found;
};

/**
 * The `.env` of a step's block. `given`: what the platform handed out in the place of the examples. The step's other words
 * stand in for a model key and for a forge.
 */
export const settingsOf = (
  clone: string,
  text: string,
  given: Readonly<Record<string, string>>,
  repository: string,
): void => {
  const block = /```ini\n([^]*?)```/.exec(text)?.[1] ?? "";
  const lines = block.split("\n").map((line) => line.trim());
  for (const name of Object.keys(given)) expect(lines.some((line) => line.startsWith(`${name}=`))).toBe(true);
  const kept = lines.flatMap((line) => {
    const [name = ""] = line.split("=");
    if (name === "ANTHROPIC_API_KEY" || name === "PARLEY_REPOS") return [];
    return [given[name] === undefined ? line : `${name}=${given[name]}`];
  });
  writeFileSync(join(clone, ".env"), kept.join("\n"));
  const local = coded(text, /^PARLEY_REPOS=\//).replace(/=.*/, `=${repository}`);
  appendFileSync(join(clone, ".env"), `${coded(text, /^PARLEY_MODEL=/)}\n${local}\n`);
};
