import * as z from "zod";
import { jsonOf } from "../../../adapters/http/body.ts";
import { badRequest, notFound, storeFailed } from "../../../adapters/http/problem.ts";
import { isSecretName } from "./declaration.ts";
import { missingSecrets } from "./missing-secrets.ts";
import type { TestSecretsContext } from "./open.ts";
import { secretRepos } from "./repository.ts";
import type { SecretsBody } from "./secrets-body.ts";
import { isStorableSecret } from "./secrets.ts";

export const listSecrets = (own: TestSecretsContext): Promise<Response> =>
  Promise.resolve(Response.json(secretsBody(own)));

const secretsBody = ({ secrets, declared, chat, repo: console }: TestSecretsContext): SecretsBody => {
  const stored = secrets.all();
  const used = secretRepos(chat, console === null ? [] : [console]);
  return {
    secrets: stored.map(({ repo: of, ...one }) => ({ ...one, repo: of, isUsed: used.includes(of) })),
    missing: missingSecrets(declared(), stored),
    repos: used,
  };
};

export const changeSecrets = async (own: TestSecretsContext, request: Request): Promise<Response> => {
  const { secrets, operator } = own;
  const asked = await jsonOf(request, changeBody);
  if (asked.action === "remove") {
    const removed = await secrets.remove(asked.repo, asked.name);
    if (removed.kind === "failed") throw storeFailed(removed);
    if (removed.kind === "unknown") throw notFound("secret", "There is no such secret.");
    return Response.json({ name: asked.name });
  }
  const { repo, name, value } = asked;
  const result = await secrets.set({ repo, name, value, by: operator.id });
  if (result.kind === "failed") throw storeFailed(result);
  if (result.kind === "no key") throw badRequest("no_seal_key", result.why);
  if (result.kind === "full") throw badRequest("too_many_secrets", "The repository has too many secrets.");
  return Response.json({ name });
};

const repo = z
  .string()
  .regex(/^(\/|[\w.:[\]-]+\/)\S{1,300}$/, "is host and path, such as github.com/acme/api, or a local path");
const name = z.string().refine(isSecretName, "is a variable such as STRIPE_TEST_KEY");

const changeBody = z.discriminatedUnion("action", [
  z.object({
    action: z.literal("set"),
    repo,
    name,
    // The message of the schema must not repeat the value.
    value: z.string().trim().refine(isStorableSecret, "has 8 to 3,000 characters"),
  }),
  z.object({ action: z.literal("remove"), repo, name }),
]);
