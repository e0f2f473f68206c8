/** Whether the model answers: one short request, made for real. */

import type { ChosenModel } from "../../host/choose-model.ts";
import type { Failure, FailureKind } from "../../machine/words.ts";
import { error, type Finding, ok, warning } from "./finding.ts";

const MODEL_PATIENCE = 30_000;

export const modelFinding = async (chosen: ChosenModel): Promise<Finding> => {
  const { name, notice } = chosen;
  if (name === "demo") {
    return warning("model", "the scripted demo model", "Set ANTHROPIC_API_KEY for a real model.");
  }
  const failure = await tryModel(chosen);
  if (failure === null) {
    return notice === null ? ok("model", `${name} answered`) : warning("model", `${name} answered`, notice);
  }
  return error("model", `${name}: ${failure.message}`, REMEDIES[failure.kind] ?? OTHERWISE);
};

const OTHERWISE = "Check ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL and PARLEY_MODEL.";
const REMEDIES: Readonly<Partial<Record<FailureKind, string>>> = {
  auth: "Set ANTHROPIC_API_KEY to a key that is valid at ANTHROPIC_BASE_URL.",
  billing: "Add credit, or raise the limit, where the key was made.",
  not_found: "Set PARLEY_MODEL to a model that this key may use.",
  network: "Check ANTHROPIC_BASE_URL, and this host's way to it.",
  rate_limit: "Try again in a minute; the key's limits are low, or others use it too.",
  overloaded: "Try again in a minute; it is the provider's trouble.",
};

/** Null when it was answered. */
const tryModel = async ({ model, name }: ChosenModel): Promise<Pick<Failure, "kind" | "message"> | null> => {
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
