/** Whether the models answer: one short request to each, made for real. */

import type { ChosenModel } from "../../host/choose-model.ts";
import type { Failure, FailureKind } from "../../machine/words.ts";
import type { ConfiguredModel } from "../../model/models.ts";
import { error, type Finding, ok, warning } from "./finding.ts";

const MODEL_PATIENCE = 30_000;

export async function* modelsFindings(chosen: ChosenModel): AsyncGenerator<Finding> {
  if (chosen.name === "demo") {
    yield warning("model", "the scripted demo model", "Set ANTHROPIC_API_KEY for a real model.");
  }
  for (const one of chosen.configured) yield await modelFinding(chosen, one);
}

const modelFinding = async (
  chosen: ChosenModel,
  { alias, named, from }: ConfiguredModel,
): Promise<Finding> => {
  const failure = await tryModel(chosen, alias);
  if (failure !== null) return error("model", `${alias}: ${failure.message}`, remedy(failure.kind, named));
  return from.window === "assumed" && chosen.notice !== null
    ? warning("model", `${alias} answered`, chosen.notice)
    : ok("model", `${alias} answered`);
};

const remedy = (kind: FailureKind, { key, address }: ConfiguredModel["named"]): string => {
  switch (kind) {
    case "auth":
      return `Set ${key} to a key that is valid at ${address}.`;
    case "billing":
      return "Add credit, or raise the limit, where the key was made.";
    case "not_found":
      return "Set PARLEY_MODEL to a model that this key may use.";
    case "network":
      return `Check ${address}, and this host's way to it.`;
    case "rate_limit":
      return "Try again in a minute; the key's limits are low, or others use it too.";
    case "overloaded":
      return "Try again in a minute; it is the provider's trouble.";
    case "workspace":
    case "limit":
    case "budget":
    case "costly":
    case "context":
    case "invalid_request":
    case "unknown":
      return `Check ${key}, ${address} and PARLEY_MODEL.`;
  }
};

/** Null when it was answered. */
const tryModel = async (
  { model }: ChosenModel,
  name: string,
): Promise<Pick<Failure, "kind" | "message"> | null> => {
  const answer = await model.respond(
    {
      conversation: "c-doctor",
      model: name,
      prefix: { hash: "doctor", system: "Answer with one word.", tools: [] },
      messages: [{ role: "user", content: [{ kind: "text", text: "Say ok." }] }],
    },
    { signal: AbortSignal.timeout(MODEL_PATIENCE), onText: () => undefined },
  );
  if (answer.kind === "failed") return answer.failure;
  return answer.kind === "aborted"
    ? { kind: "network", message: `no answer within ${MODEL_PATIENCE / 1_000} s` }
    : null;
};
