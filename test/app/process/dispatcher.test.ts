/**
 * The HTTP client of the whole process is Node's own. npm's `undici` makes itself that if it loads first, and then refuses the
 * forms of `@discordjs/rest`: no file reaches Discord.
 */

import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { root } from "../cli/host.ts";

/** Loads what the script says, and then names whose client the process has. */
const clientAfter = (script: string): string => {
  const naming = `
    const { Agent } = await import("undici");
    process.stdout.write(globalThis[Symbol.for("undici.globalDispatcher.1")] instanceof Agent ? "npm" : "node");
    process.exit();`;
  const args = ["--input-type=module", "-e", `${script}\n${naming}`];
  return execFileSync(process.execPath, args, { cwd: root, encoding: "utf8" });
};

it("is Node's own once the host's modules are loaded", () => {
  expect(clientAfter('await import("./src/app/cli/start.ts");')).toBe("node");
});

it("would be npm's if that loaded first", () => {
  expect(clientAfter("")).toBe("npm");
});
