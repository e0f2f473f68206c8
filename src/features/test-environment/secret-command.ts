/**
 * `run_with_secrets`: a command that the model chose gets stored secrets once, after an approver has read the command and the
 * names. The approval is bound to the command, the names and the draft's tree.
 */

import { hash } from "node:crypto";
import * as z from "zod";
import type { Core } from "../../feature.ts";
import type { ToolRun, Writes, WrittenResult } from "../../ports/tools.ts";
import { canonical } from "../../text/canonical.ts";
import { spellInvisibleInProse } from "../../text/invisible.ts";
import {
  defineTool,
  failure,
  readInput,
  success,
  textField,
  type Tool,
  Unable,
  unless,
} from "../../tools/tool.ts";
import { isSecretName } from "./declaration.ts";
import { secretRepoOf } from "./repository.ts";
import type { TestSecrets } from "./secrets.ts";

const WRITE = "secret_command";

/** A card of each platform has room for a command and names of this size; a longer command would be cut. */
const MAX_SHOWN = 1_200;
const MAX_NAMES = 8;

/** Length on a card, where each line is quoted and each hidden character is spelled out. */
const shownLength = (command: string): number =>
  Array.from(spellInvisibleInProse(command)).length + 2 * command.split("\n").length;

const schema = z.object({
  command: textField
    .min(1)
    .refine((command) => !command.includes("\0"), { error: "must not contain a NUL character" })
    .refine((command) => shownLength(command) <= MAX_SHOWN, {
      error: `must have at most ${MAX_SHOWN} characters, because people see the whole command before they decide; a line counts for 2 more, a hidden character for 8`,
    })
    .describe("Bash, run once in a copy of the draft."),
  secrets: z
    .array(z.string().refine(isSecretName, { error: "must be the name of a secret" }))
    .min(1)
    .max(MAX_NAMES)
    .describe("Names of stored secrets, which become variables."),
});

const DESCRIPTION =
  "Run one command with stored secrets in a copy of the open draft, without a network. An approver is shown the command and the names, and decides; the values never reach you. Only where a test needs a credential and the repository's declared test command cannot be used.";

interface SecretCommandDeps extends Pick<Core, "drafts"> {
  readonly secrets: Pick<TestSecrets, "listed">;
}

interface Target {
  readonly command: string;
  readonly names: readonly string[];
  readonly tree: string;
}

export const createSecretCommand = (deps: SecretCommandDeps): Tool =>
  defineTool({
    name: "run_with_secrets",
    before: "spawn_agents",
    description: DESCRIPTION,
    origin: "checkout",
    look: {
      past: "Ran {object}",
      now: "running {object}",
      fields: ["command"],
      icon: "check",
      face: "code",
    },
    judge: null,
    schema,
    tooLarge: "Shorten the command.",
    run: () => Promise.resolve(failure("Not run: nobody could be asked.")),
    writes: { propose: createPropose(deps), write: createWrite(deps) },
  });

const createPropose =
  (deps: SecretCommandDeps): Writes["propose"] =>
  async (run, { signal }) => {
    const target = await targetOf(deps, run, signal);
    return {
      kind: "proposal",
      write: WRITE,
      fingerprint: fingerprintOf(target),
      proposal: {
        project: secretRepoOf(run.conversation.repo),
        facts: [],
        files: [],
        unlisted: 0,
        texts: [
          { name: "Secrets", text: target.names.join("\n") },
          { name: "Command", text: target.command },
        ],
      },
    };
  };

const createWrite =
  (deps: SecretCommandDeps): Writes["write"] =>
  (run, { approved, interrupted }, { signal }) =>
    unless<WrittenResult>(
      async () => {
        // The command may have read the secrets already, so another run needs another approval. An approval of an equal
        // command after that end is such an approval.
        if (interrupted) return { outcome: failure(LOST), wrote: { kind: "unknown", why: LOST } };
        const target = await targetOf(deps, run, signal);
        if (approved.write !== WRITE || approved.fingerprint !== fingerprintOf(target))
          return { outcome: failure(`Not run: ${CHANGED}`), wrote: { kind: "void", why: CHANGED } };
        const { command, names: allowed } = target;
        const ran = await deps.drafts.test(run.conversation.id, { command, allowed }, signal);
        if (ran.kind === "failed") throw new Unable(ran.message);
        if (ran.kind === "none") throw new Unable(NO_DRAFT);
        const { status, ended, tail } = ran.test;
        const end = status === null ? `ended early (${ended ?? "stopped"})` : `exited with status ${status}`;
        return {
          outcome: success(`The command ${end}.\n${tail}`),
          wrote: { kind: "done", name: allowed.join(", ") },
        };
      },
      ({ message }) => ({ outcome: failure(message), wrote: { kind: "failed", why: message } }),
    );

/** Reads the draft and the stored names again each time. */
const targetOf = async (
  { drafts, secrets }: SecretCommandDeps,
  { conversation, input }: Pick<ToolRun, "conversation" | "input">,
  signal: AbortSignal,
): Promise<Target> => {
  const { command, secrets: wanted } = readInput(schema, input);
  if (conversation.repo.name !== undefined) throw new Unable(SEVERAL);
  const names = [...new Set(wanted)].toSorted();
  const stored = new Set(secrets.listed(secretRepoOf(conversation.repo)).map(({ name }) => name));
  const missing = names.filter((name) => !stored.has(name));
  if (missing.length > 0)
    throw new Unable(
      `Not stored: ${missing.join(", ")}. An approver stores a secret with /parley secrets set NAME.`,
    );
  const found = await drafts.tree(conversation.id, signal);
  if (found.kind === "failed") throw new Unable(found.message);
  if (found.kind === "none") throw new Unable(NO_DRAFT);
  return { command, names, tree: found.tree };
};

const fingerprintOf = ({ command, names, tree }: Target): string =>
  hash("sha256", canonical({ write: WRITE, command, names, tree }));

const NO_DRAFT = "No draft is open. Call draft first.";
const SEVERAL = "Not available in a conversation with several repositories.";
const CHANGED = "the draft has changed since people were shown the command. Ask again.";
const LOST =
  "Parley was restarted while the command ran, and the command is not repeated without a new approval.";
