import { execa } from "execa";
import { expect, it } from "vitest";
import { z } from "zod";
import { root } from "./host.ts";

const config = (env: NodeJS.ProcessEnv, ...args: readonly string[]) =>
  execa(process.execPath, ["bin/parley.js", "config", ...args], { cwd: root, env, reject: false });

const lines = z.record(z.string(), z.object({ value: z.string(), source: z.string() }));

it("parley config shows each setting as it is in force and where it comes from, and no secret", async () => {
  const env = {
    PARLEY_PORT: "9000",
    PARLEY_SAFE_MODE: "off",
    SLACK_BOT_TOKEN: "xoxb-canary",
    PARLEY_MODEL: "",
  };
  const shown = await config(env, "--json");
  expect(shown.exitCode).toBe(0);
  expect(lines.parse(JSON.parse(shown.stdout))).toMatchObject({
    PARLEY_PORT: { value: "9000", source: "environment" },
    PARLEY_SAFE_MODE: { value: "off", source: "environment" },
    PARLEY_HOST: { value: "127.0.0.1", source: "default" },
    SLACK_BOT_TOKEN: { value: "(set, hidden)", source: "environment" },
    PARLEY_MODEL: { value: "(unset)", source: "default" },
  });
  const table = await config(env);
  expect(table.stdout).toMatch(/^PARLEY_PORT +9000 +environment$/m);
  expect(shown.stdout + table.stdout).not.toContain("canary");
});

it("parley config lists every problem of a configuration that cannot be used", async () => {
  const { exitCode, stderr } = await config({ PARLEY_PORT: "many", PARLEY_PROT: "1" });
  expect(exitCode).toBe(1);
  expect(stderr).toContain("PARLEY_PORT");
  expect(stderr).toContain("did you mean PARLEY_PORT?");
});
