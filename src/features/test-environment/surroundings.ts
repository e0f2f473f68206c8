/** Prepares the tests that the host runs for a card: declared secrets for declared commands, and services for all commands. */

import type { Log } from "../../ports/host.ts";
import type { TestPreparation, TestSurroundings } from "../../ports/test-surroundings.ts";
import { createRedactor } from "../../text/secrets/known-values.ts";
import { DECLARATION_FILE, MAX_DECLARATION, readDeclaration, type TestDeclaration } from "./declaration.ts";
import { formsOfSecret } from "./secret-forms.ts";
import type { DeclaredRows } from "./declared-rows.ts";
import type { TestSecrets } from "./secrets.ts";
import { type ServicePrograms, servicesFor } from "./services.ts";

interface SurroundingsDeps {
  readonly secrets: Pick<TestSecrets, "open">;
  readonly declared?: Pick<DeclaredRows, "keep">;
  readonly log: Log;
  readonly programs?: ServicePrograms;
}

export const createTestSurroundings = ({
  secrets,
  declared,
  log,
  programs,
}: SurroundingsDeps): TestSurroundings => ({
  prepare: async ({ command, allowed, repo, read }) => {
    const file = await read(DECLARATION_FILE, MAX_DECLARATION);
    if (file.kind === "none" && allowed.length === 0) {
      await declared?.keep({ repo, secrets: [], services: [] });
      return PLAIN;
    }
    if (file.kind === "unusable") return { kind: "unable", why: file.why };
    const result = readDeclaration(file.kind === "none" ? "{}" : file.text);
    if (result.kind === "invalid") return { kind: "unable", why: result.why };
    const { declaration } = result;
    const kept = await declared?.keep({ ...declaration, repo });
    if (kept?.kind === "failed") log.warn("tests: declaration not stored", { repo, why: kept.message });
    const services = declaration.services.length === 0 ? null : servicesFor(declaration.services, programs);
    if (services?.kind === "missing") return { kind: "unable", why: services.why };
    const open = (names: readonly string[]) => secrets.open(repo, names);
    const given =
      allowed.length > 0 ? { env: open(allowed), note: null } : secretsFor(declaration, command, open);
    const values = Object.values(given.env);
    if (values.length > 0)
      log.info("tests: secrets given to a test", { repo, names: Object.keys(given.env).join(" ") });
    const redactor = createRedactor(values.flatMap(formsOfSecret));
    return {
      kind: "ready",
      env: { ...services?.env, ...given.env },
      script: services?.script ?? null,
      note: given.note,
      mask: (output, isCut) => (isCut ? redactor.cutBefore(output) : redactor.text(output)),
    };
  },
});

const PLAIN: TestPreparation = { kind: "plain" };

interface GivenSecrets {
  readonly env: Readonly<Record<string, string>>;
  readonly note: string | null;
}

/** The model chooses the test command, so only commands of the declaration receive secrets. */
const secretsFor = (
  { commands, secrets: names }: TestDeclaration,
  command: string,
  open: (names: readonly string[]) => Readonly<Record<string, string>>,
): GivenSecrets => {
  if (names.length === 0) return { env: {}, note: null };
  if (!commands.includes(command.trim()))
    return {
      env: {},
      note: `Without secrets: ${DECLARATION_FILE} does not list this command.`,
    };
  const env = open(names);
  const unset = names.filter((name) => env[name] === undefined);
  return {
    env,
    note:
      unset.length === 0
        ? null
        : `Not set: ${unset.join(", ")}. An approver sets a secret with /parley secrets set NAME.`,
  };
};
