/** `parley manifest` serves every platform of the list, and the help names each. */

import { expect, it, vi } from "vitest";
import { manifestCommand } from "../../../src/app/cli/manifest.ts";
import { usageText } from "../../../src/app/cli/parley.ts";
import { PLATFORMS } from "../../../src/app/chat/platforms.ts";

const USAGE = await usageText();

const run = async (...args: readonly string[]) => {
  const lines: string[] = [];
  const note = (line: unknown): void => void lines.push(String(line));
  const spies = [vi.spyOn(console, "log"), vi.spyOn(console, "error")].map((spy) =>
    spy.mockImplementation(note),
  );
  const status = await manifestCommand(args);
  for (const spy of spies) spy.mockRestore();
  return { status, text: lines.join("\n") };
};

it("prints what a platform needs, for each one of the list", async () => {
  for (const { name } of PLATFORMS) {
    const { status, text } = await run(name);
    expect(status, name).toBe(0);
    expect(text.length, name).toBeGreaterThan(100);
  }
});

it("refuses other names and options with a usage that has every platform", async () => {
  for (const args of [[], ["irc"], ...PLATFORMS.map(({ name }) => [name, "--nonsense"])]) {
    const { status, text } = await run(...args);
    expect(status).not.toBe(0);
    for (const { name } of PLATFORMS) expect(text).toContain(`npm run manifest -- ${name}`);
  }
});

it("has a line in the help for each platform", () => {
  for (const { name, manifest } of PLATFORMS) {
    expect(USAGE).toContain(`  manifest ${name}`);
    expect(USAGE).toContain(manifest.help[1]);
  }
});
