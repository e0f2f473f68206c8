/** `.parley/tests.json` declares the test commands of a repository, the secrets that they need, and their services. */

import * as z from "zod";
import { jsonIn } from "../../text/json.ts";
import { SERVICE_NAMES } from "./services.ts";

export const DECLARATION_FILE = ".parley/tests.json";
export const MAX_DECLARATION = 16 * 1024;
export const MAX_SECRETS = 20;

/** Names that change how the shell or the loader starts a command. */
const RESERVED =
  /^(PATH|HOME|PWD|OLDPWD|SHELL|IFS|ENV|CDPATH|TMPDIR|LANG|CI|SHELLOPTS|BASHOPTS|PS\d|PROMPT_COMMAND|LC_.*|LD_.*|BASH_.*|GIT_.*|NODE_OPTIONS|.*_proxy|.*_PROXY)$/;

export const isSecretName = (name: string): boolean =>
  /^[A-Z][A-Z0-9_]{0,59}$/.test(name) && !RESERVED.test(name);

const command = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .refine((text) => !/[\0\n\r]/.test(text), "must be one line");

const schema = z.strictObject({
  /** Only these exact commands receive secrets. */
  commands: z.array(command).max(20).default([]),
  secrets: z
    .array(z.string().refine(isSecretName, "must be a variable such as STRIPE_TEST_KEY"))
    .max(MAX_SECRETS)
    .default([]),
  services: z.array(z.enum(SERVICE_NAMES)).max(SERVICE_NAMES.length).default([]),
});

export type TestDeclaration = Readonly<z.output<typeof schema>>;

export type DeclarationResult =
  | { readonly kind: "declaration"; readonly declaration: TestDeclaration }
  /** One sentence. */
  | { readonly kind: "invalid"; readonly why: string };

export const readDeclaration = (text: string): DeclarationResult => {
  const parsed = schema.safeParse(jsonIn(text));
  if (parsed.success) {
    const { commands, secrets, services } = parsed.data;
    return {
      kind: "declaration",
      declaration: { commands, secrets: [...new Set(secrets)], services: [...new Set(services)] },
    };
  }
  const [issue] = parsed.error.issues;
  const path = issue?.path.join(".") ?? "";
  // The file is untrusted, so the message names its part and repeats none of its text.
  return {
    kind: "invalid",
    why: `${DECLARATION_FILE} is not usable${path === "" ? "" : ` (${path.slice(0, 40)})`}: it has lists of text named commands, secrets and services, and services are ${SERVICE_NAMES.join(" or ")}.`,
  };
};
