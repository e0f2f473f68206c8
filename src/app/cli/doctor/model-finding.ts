/** Sends one short request to each configured model. */

import type { ChosenModel } from "../../choose-model.ts";
import type { Failure, FailureKind } from "../../../machine/vocabulary.ts";
import type { ConfiguredModel } from "../../../model/provider.ts";
import { findingAbout, type Finding } from "../../../ports/finding.ts";

const MODEL = findingAbout("model");
const MODEL_PATIENCE = 30_000;

export async function* modelsFindings(chosen: ChosenModel): AsyncGenerator<Finding> {
  if (chosen.isScripted)
    yield MODEL.warning(
      `only the scripted ${chosen.name} model is available`,
      "Set ANTHROPIC_API_KEY for a real model.",
    );
  for (const one of chosen.configured) yield await modelFinding(chosen, one);
}

const modelFinding = async (
  chosen: ChosenModel,
  { alias, named, from }: ConfiguredModel,
): Promise<Finding> => {
  const failure = await tryModel(chosen, alias);
  if (failure !== null) return MODEL.error(`${alias}: ${failure.message}`, remedyOf(failure.kind, named));
  return from.window === "assumed" && chosen.notice !== null
    ? MODEL.warning(`${alias} answered`, chosen.notice)
    : MODEL.ok(`${alias} answered`);
};

const remedyOf = (kind: FailureKind, { key, address }: ConfiguredModel["named"]): string => {
  const remedies: Partial<Record<FailureKind, string>> = {
    auth: `Set ${key} to a key that is valid at ${address}.`,
    billing: "Add credit or raise the limit in the account that owns the key.",
    not_found: "Set PARLEY_MODEL to a model that this key may use.",
    network: `Check ${address} and the network between this host and that address.`,
    rate_limit: "Try again in a minute; the limits of the key are low, or other programs use the key too.",
    overloaded: "Try again in a minute; the provider is overloaded.",
  };
  return remedies[kind] ?? `Check ${key}, ${address} and PARLEY_MODEL.`;
};

/** Null if the model answered. */
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
