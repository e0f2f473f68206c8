/** `secrets` lists, stores and removes secrets for the tests that the host runs. A form receives the value, never a message. */

import type { Label, Say } from "../../i18n/say.ts";
import { MAY_NOT_SECRETS, SECRET_NAME } from "./answers.ts";
import {
  type Command,
  type CommandContext,
  defineCommand,
} from "../../runtime/chat/commands/define-command.ts";
import { choiceOption, typedWord } from "../../runtime/chat/commands/options.ts";
import { storageText } from "../../runtime/chat/people/reply-texts.ts";
import { isSecretName } from "./declaration.ts";
import { missingSecrets } from "./missing-secrets.ts";
import type { TestSecretsContext } from "./open.ts";
import { chosenRepo, secretButtonOf } from "./repository.ts";
import type { ListedSecret } from "./secrets.ts";

const CHANGE = choiceOption("change", "set or remove; leave empty for the list", "set", "remove");
const NAME = typedWord("name", "Name of the secret, such as STRIPE_TEST_KEY", (typed) => typed.toUpperCase());
const REPO = typedWord("repo", "One of the channel's repositories, if there are several", (typed) => typed);

interface SecretsChange {
  readonly what: "list" | "set" | "remove";
  readonly name: string;
  readonly repo: string | null;
}

export const secretsCommand = (own: () => TestSecretsContext): Command =>
  defineCommand({
    words: ["secrets", "secret"],
    options: [CHANGE, NAME, REPO],
    read: (valueOf): SecretsChange | undefined => {
      const what = valueOf(CHANGE);
      const name = valueOf(NAME);
      const repo = valueOf(REPO);
      if (what === null) return name === null ? { what: "list", name: "", repo } : undefined;
      return name === null ? undefined : { what, name, repo };
    },
    rights: { right: "mayApprove", refusal: MAY_NOT_SECRETS },
    help: {
      does: "Secrets for the tests that the host runs (only for approvers)",
      channel: "`/parley secrets [set NAME|remove NAME]` lists, stores or removes secrets for tests",
      before: { channel: "memory" },
    },
    slash: async ({ context: { deps }, asked, run }) =>
      asked === undefined ? deps.say(HOW) : (await run(asked)) || deps.say("Press *Enter the value*."),
    run: (context, change) => answer(own(), context, change),
  });

const answer = async (
  { secrets, declared, chat }: TestSecretsContext,
  { deps, asking }: CommandContext,
  { what, name, repo: named }: SecretsChange,
): Promise<string | null> => {
  const { say, platform } = deps;
  const bound = chat.binding(deps.name, asking.place)?.repo ?? null;
  if (bound === null) return say("No repository is chosen here: `/parley repo owner/name`.");
  const chosen = chosenRepo(bound, named);
  if (chosen.kind === "several")
    return say("This channel works on several repositories. Add the name of one to the command: {names}.", {
      names: chosen.names.join(", "),
    });
  const { repo } = chosen;
  if (what === "list") {
    const listed = secrets.listed(repo);
    const unset = missingSecrets(
      declared().filter((one) => one.repo === repo),
      listed,
    );
    const names = unset.map((one) => one.name).join(", ");
    return names === ""
      ? listText(repo, listed, say)
      : `${listText(repo, listed, say)}\n${say("Declared in `.parley/tests.json` but not stored: {names}", { names })}`;
  }
  if (!isSecretName(name)) return say(SECRET_NAME);
  if (what === "remove") {
    const removed = await secrets.remove(repo, name);
    if (removed.kind === "failed") return storageText(removed.message, say);
    return removed.kind === "unknown"
      ? say("There is no secret {name} here. `/parley secrets` lists the secrets.", { name })
      : say("Removed: the tests of {repo} no longer get {name}.", { repo, name });
  }
  const button = {
    action: { feature: "set_secret" },
    label: say("Enter the value"),
    value: secretButtonOf(repo, name),
  };
  const text = say(
    "Secret {name} for the tests of {repo}. Enter the value in the form, never in a message: nobody can read the value again.",
    { name, repo },
  );
  // A command's reply has no buttons, and on Discord a second reply would replace the first.
  await platform.whisper(asking, { text, buttons: [button] });
  return null;
};

const listText = (repo: string, listed: readonly ListedSecret[], say: Say): string => {
  if (listed.length === 0) return `${say("No secrets are stored for {repo}.", { repo })} ${say(HOW)}`;
  const lines = listed.map(({ name, by, at }) => {
    const day = new Date(at).toISOString().slice(0, 10);
    return by === null
      ? say("{name}, set on {day}", { name, day })
      : say("{name}, set by {by} on {day}", { name, by, day });
  });
  return [say("Secrets for the tests of {repo}:", { repo }), ...lines].join("\n");
};

const HOW: Label =
  "`/parley secrets set NAME` stores a secret for the tests that the host runs, and `/parley secrets remove NAME` removes a secret.";
