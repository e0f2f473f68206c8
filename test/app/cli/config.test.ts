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
    ANTHROPIC_API_KEY: "sk-canary",
    SLACK_SIGNING_SECRET: "canary-signing",
    DISCORD_TOKEN: "canary-discord",
    PARLEY_CONSOLE_TOKEN: "canary-console-0123",
    PARLEY_GATEWAY_TOKEN: "canary-gateway-0123",
    PARLEY_HOOK_SECRET: "canary-hooks-0123",
    OTEL_EXPORTER_OTLP_HEADERS: "api-key=canary-collector",
    OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example/otlp?key=canary-query",
    ANTHROPIC_BASE_URL: "https://models.example/v1",
    PARLEY_MODEL: "",
    PARLEY_BUDGET_DAY: "12.5",
    PARLEY_BUDGET_PERSON: "none",
    OTEL_SDK_DISABLED: "true",
    PARLEY_DATABASE: "postgres://parley:canary-database@db.example/parley?sslmode=disable",
    PARLEY_DATABASE_PASSWORD: "canary-password",
    PARLEY_SHARED_STORAGE: "s3://team/parley",
    PARLEY_SHARED_ENDPOINT: "https://store.example/?key=canary-query",
    PARLEY_SHARED_ACCESS_KEY: "canary-access",
    PARLEY_SHARED_SECRET_KEY: "canary-secret",
    AWS_ACCESS_KEY_ID: "canary-access",
    AWS_SECRET_ACCESS_KEY: "canary-secret",
    AWS_SESSION_TOKEN: "canary-session",
  };
  const shown = await config(env, "--json");
  expect(shown.exitCode).toBe(0);
  expect(lines.parse(JSON.parse(shown.stdout))).toMatchObject({
    PARLEY_PORT: { value: "9000", source: "environment" },
    PARLEY_SAFE_MODE: { value: "off", source: "environment" },
    PARLEY_HOST: { value: "127.0.0.1", source: "default" },
    SLACK_BOT_TOKEN: { value: "(set, hidden)", source: "environment" },
    PARLEY_MODEL: { value: "(unset)", source: "default" },
    OTEL_EXPORTER_OTLP_ENDPOINT: { value: "https://collector.example/otlp?(hidden)" },
    ANTHROPIC_BASE_URL: { value: "https://models.example/v1" },
    PARLEY_BUDGET_DAY: { value: "12.5", source: "environment" },
    PARLEY_BUDGET_PERSON: { value: "none", source: "environment" },
    PARLEY_BUDGET_STRANGER: { value: "0.5", source: "default" },
    OTEL_SDK_DISABLED: { value: "true", source: "environment" },
    PARLEY_SHARED_STORAGE: { value: "s3://team/parley" },
    PARLEY_SHARED_ENDPOINT: { value: "https://store.example/?(hidden)" },
    PARLEY_DATABASE: { value: "postgres://parley:(hidden)@db.example/parley?(hidden)" },
  });
  const table = await config(env);
  expect(table.stdout).toMatch(/^PARLEY_PORT +9000 +environment$/m);
  expect(shown.stdout + table.stdout).not.toContain("canary");
});

it.each(["pa/ss@w:ord", "a?b#c/d@e", "@", ":", "p%40ss"])(
  "40.C8 parley config hides a database's password whatever is in it: %s",
  async (password) => {
    const { stdout } = await config({
      PARLEY_DATABASE: `postgres://parley:canary${password}canary@db.example/parley`,
      PARLEY_SHARED_STORAGE: "s3://team/parley",
      PARLEY_SHARED_ENDPOINT: "https://store.example",
      PARLEY_SHARED_ACCESS_KEY: "access",
      PARLEY_SHARED_SECRET_KEY: "secret",
    });
    expect(stdout).not.toContain("canary");
    expect(stdout).toMatch(/PARLEY_DATABASE +postgres:\/\/parley:\(hidden\)@/);
  },
);

it("parley config lists every problem of a configuration that cannot be used", async () => {
  const { exitCode, stderr } = await config({
    PARLEY_PORT: "many",
    PARLEY_PROT: "1",
    ANTHROPIC_BASE_URL: "https://me:canary-password@models.example",
    DISCORD_TOKEN: "canary-token\nof two lines",
  });
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/ANTHROPIC_BASE_URL: must not contain a user name or password/);
  expect(stderr).toMatch(/DISCORD_TOKEN: must consist of printable ASCII characters/);
  expect(stderr).not.toContain("canary");
  expect(stderr).toContain("PARLEY_PORT");
  expect(stderr).toContain("did you mean PARLEY_PORT?");
});
