import type { Core } from "../../feature.ts";
import { createDeclaredRows, type DeclaredRows } from "./declared-rows.ts";
import { createTestSecretRows } from "./rows.ts";
import { createTestSecrets, type TestSecrets } from "./secrets.ts";
import { createSecretCommand } from "./secret-command.ts";
import { createTestSurroundings } from "./surroundings.ts";

export interface TestSecretsContext extends Pick<Core, "chat" | "operator" | "repo" | "sealKey"> {
  readonly secrets: TestSecrets;
  readonly declared: DeclaredRows["all"];
}

export const openTestEnvironment = (core: Core) => {
  const secrets = createTestSecrets({ ...core, rows: createTestSecretRows(core.rows, core.log) });
  secrets.learn();
  const declared = createDeclaredRows(core.rows, core.log);
  const own: TestSecretsContext = {
    secrets,
    declared: declared.all,
    repo: core.repo,
    chat: core.chat,
    operator: core.operator,
    sealKey: core.sealKey,
  };
  return {
    own,
    tools: [createSecretCommand({ secrets, drafts: core.drafts })],
    tests: createTestSurroundings({ secrets, declared, log: core.log }),
    changed: (tables: ReadonlySet<string>) => {
      if (tables.has("test_secrets")) secrets.learn();
    },
  };
};
