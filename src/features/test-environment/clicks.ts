/** *Enter the value* opens a form. The form's text arrives sealed, so that no stored event contains the value. */

import type { Label, Say } from "../../i18n/say.ts";
import type { HandleResult } from "../../ports/chat.ts";
import { CONCEALED } from "../../ports/sealing.ts";
import type { FeatureClick } from "../../runtime/chat/people/deps.ts";
import { memberOf, whisper } from "../../runtime/chat/people/member.ts";
import { storageText } from "../../runtime/chat/people/reply-texts.ts";
import { rightsOf, surfacePersonId } from "../../runtime/chat/people/rights.ts";
import { openSealedText } from "../../store/base/seal.ts";
import { MAY_NOT_SECRETS } from "./answers.ts";
import { isSecretName } from "./declaration.ts";
import type { TestSecretsContext } from "./open.ts";
import { secretOfButton } from "./repository.ts";
import { isStorableSecret, type SecretResult } from "./secrets.ts";

export const setSecret =
  (own: TestSecretsContext): FeatureClick =>
  async (deps, _, click): Promise<HandleResult> => {
    const member = await memberOf(deps, click.person);
    if (typeof member === "string") return whisper(deps, click, member);
    const { person, say } = member;
    if (!rightsOf(deps.policy, person).mayApprove) return whisper(deps, click, say(MAY_NOT_SECRETS));
    const bound = own.chat.binding(deps.name, click.place)?.repo ?? null;
    const secret = secretOfButton(click.value, bound);
    if (secret === null || !isSecretName(secret.name)) return whisper(deps, click, say(OTHER_REPO));
    const value = openForm(own, click.comment);
    if (value.kind === "none") return whisper(deps, click, say(NO_FORM));
    if (value.kind === "no key") return whisper(deps, click, noKeyText(value.why, say));
    if (!isStorableSecret(value.text)) return whisper(deps, click, say(LENGTH));
    const by = surfacePersonId(deps.name, person.id);
    const result = await own.secrets.set({ ...secret, value: value.text, by });
    return whisper(deps, click, setText(result, secret, say));
  };

type FormValue =
  | { readonly kind: "value"; readonly text: string }
  | { readonly kind: "none" }
  | { readonly kind: "no key"; readonly why: string };

const openForm = ({ sealKey }: TestSecretsContext, sealed: string | null): FormValue => {
  const key = sealKey();
  if (key.kind === "unusable") return { kind: "no key", why: key.why };
  const opened = sealed === null ? null : openSealedText(key, sealed, CONCEALED);
  return opened?.kind === "opened" ? { kind: "value", text: opened.text.trim() } : { kind: "none" };
};

const setText = (
  result: SecretResult,
  { repo, name }: { readonly repo: string; readonly name: string },
  say: Say,
): string => {
  switch (result.kind) {
    case "done":
      return [
        say(
          "Stored: tests of {repo} that the host runs for a draft get {name}, if `.parley/tests.json` lists the secret and the command. A test can read and print the secret.",
          { repo, name },
        ),
        say("The secret stays with the repository, also if this channel chooses another repository."),
      ].join(" ");
    case "full":
      return say("The repository has {count} secrets, which is the limit. Remove one first.", {
        count: result.count,
      });
    case "no key":
      return noKeyText(result.why, say);
    case "failed":
      return storageText(result.message, say);
  }
};

const noKeyText = (why: string, say: Say): string =>
  say("Secrets cannot be stored on this host: {why}", { why: say.stored(why) });

const NO_FORM: Label = "The form did not open in time. Press *Enter the value* again.";
const OTHER_REPO: Label =
  "The channel works on another repository now. Use `/parley secrets set NAME` again.";
const LENGTH: Label = "A secret has 8 to 3,000 characters. Nothing was stored.";
