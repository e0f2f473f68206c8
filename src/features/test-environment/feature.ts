import { z } from "zod";
import { defineFeature } from "../../feature.ts";
import type { TestSecretsContext } from "./open.ts";
import { tables } from "./tables.ts";

const MANAGE = "store and remove secrets";

export const testEnvironment = defineFeature({
  name: "test-environment",
  settings: z.object({}),
  tables,
  open: async (_, core) => {
    const { openTestEnvironment } = await import("./open.ts");
    return openTestEnvironment(core);
  },
  findings: async function* (_, core) {
    const { testSecretFindings } = await import("./findings.ts");
    yield* testSecretFindings(core);
  },
  commands: async (own: () => TestSecretsContext) => {
    const { secretsCommand } = await import("./command.ts");
    return [secretsCommand(own)];
  },
  clicks: (own) => ({
    set_secret: async (...pressed) => (await import("./clicks.ts")).setSecret(own())(...pressed),
  }),
  requests: (own) => [
    {
      method: "get",
      path: "/api/test-secrets",
      does: "Names of the secrets for tests, by repository: `secrets`, declared but `missing` ones, and `repos`. Values are never returned.",
      approvers: MANAGE,
      answer: async () => (await import("./requests.ts")).listSecrets(own()),
    },
    {
      method: "post",
      path: "/api/test-secrets",
      does: "Changes secrets for tests: `action` is `set` (with `repo` such as `github.com/acme/api`, `name`, `value`) or `remove` (`repo`, `name`).",
      approvers: MANAGE,
      answer: async (request) => (await import("./requests.ts")).changeSecrets(own(), request),
    },
  ],
  board: { name: "test-secrets", title: "Secrets for tests", on: "channels" },
});
