/** A failed request as one sentence that says what to do (C9, bug list 5). The core decides which kinds are retried. */

import type { Millis } from "../machine/id.ts";
import type { Failure, FailureKind } from "../machine/vocabulary.ts";
import { clipCodePoints } from "../text/clip-text.ts";

export interface ModelProblem {
  /** Null after status 200. */
  readonly status: number | null;
  readonly type: string | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly retryAfter: Millis | null;
}

export interface FailureContext {
  readonly model: string;
  /** Values that must not appear in a sentence. */
  readonly secrets: readonly string[];
  /** Names of the settings with the key and the address. */
  readonly named: { readonly key: string; readonly address: string };
}

export const refusalFailure = (problem: ModelProblem, context: FailureContext): Failure => {
  const kind = kindOf(problem);
  return { kind, message: sentence(kind, problem, context), retryAfter: problem.retryAfter };
};

/** `code`: the system's error code, such as ECONNREFUSED. */
type Break =
  | { readonly kind: "unreachable"; readonly code: string | null }
  | { readonly kind: "timeout" }
  | { readonly kind: "cut" }
  | { readonly kind: "garbled" }
  | { readonly kind: "stalled"; readonly after: Millis }
  | { readonly kind: "silent"; readonly after: Millis };

export const networkFailure = (broken: Break, { named }: Pick<FailureContext, "named">): Failure => ({
  kind: "network",
  message: breakSentence(broken, named.address),
  retryAfter: null,
});

/** Empty content without `end_turn` is the server's fault and worth another try. */
export const EMPTY_ANSWER: Failure = {
  kind: "overloaded",
  message: "The model sent an empty answer. Try again in a moment.",
  retryAfter: null,
};

/** `name`: the error's class, never its text. */
export const unknownFailure = (name: string): Failure => ({
  kind: "unknown",
  message: `The model could not be asked (${name}). The operator finds more in the log.`,
  retryAfter: null,
});

const BILLING_CODES: ReadonlySet<string> = new Set([
  "enforced_spend_limit_reached",
  "contract_spend_limit_reached",
  "linked_organization_billing_unavailable",
  "linked_organization_spend_limit_reached",
  "organization_on_hold",
  "insufficient_quota",
]);
const CONTEXT_CODES: ReadonlySet<string> = new Set([
  "request_body_too_large_after_decoding",
  "context_length_exceeded",
  "exceed_context_size_error",
]);

/** Providers have no codes for the problems below. Their wording has been stable, and a miss only costs a clearer sentence. */
const TOO_LONG =
  /(prompt|input) is too long|maximum context length|too many (input )?tokens|exceeds? (the )?(available |maximum )?(context|number of tokens|max_model_len)|token count.{0,40} exceeds|too large for model with \d+ maximum/i;
const NO_CREDIT = /credit balance is too low/i;
const REFUSED_KEY = /api key not valid|invalid api key|security token .* is (invalid|expired)/i;

/** The provider's nonstandard status for the type `overloaded_error`. */
const OVERLOADED = 529;

type Caused = Exclude<FailureKind, "workspace" | "limit" | "budget" | "costly">;

const kindOf = ({ status, type, code, message }: ModelProblem): Caused => {
  if (status === 402 || type === "billing_error" || (code !== null && BILLING_CODES.has(code)))
    return "billing";
  if (status !== null && status < 500 && status !== 401 && message !== null && REFUSED_KEY.test(message))
    return "auth";
  if (status === 401 || status === 403 || type === "authentication_error" || type === "permission_error") {
    return "auth";
  }
  if (status === 429 || type === "rate_limit_error") return "rate_limit";
  if (status === 413 || (code !== null && CONTEXT_CODES.has(code))) return "context";
  if (status === 404 || type === "not_found_error") return "not_found";
  if (status === 408 || (status === null && type === "timeout_error")) return "network";
  if (status === null ? type === "overloaded_error" || type === "api_error" : isTheirs(status))
    return "overloaded";
  if (message !== null && NO_CREDIT.test(message)) return "billing";
  if (message !== null && TOO_LONG.test(message)) return "context";
  if (status === null ? type !== null : status >= 400) return "invalid_request";
  return "unknown";
};

/** Bedrock reports a model that failed during its answer with this status. */
const BROKE_DOWN = 424;

const isTheirs = (status: number): boolean => status >= 500 || status === BROKE_DOWN;

const sentence = (kind: Caused, problem: ModelProblem, { model, secrets, named }: FailureContext): string => {
  const code = problem.status === null ? (problem.type ?? "no status") : `status ${problem.status}`;
  switch (kind) {
    case "auth":
      return problem.status === 403 || problem.type === "permission_error"
        ? `Authentication failed: the model's API key may not use ${model}. The operator has to set ${named.key} to one that may, or choose another model.`
        : `Authentication failed: the model's API key was refused. The operator has to set ${named.key}.`;
    case "billing":
      return "The provider refused for lack of credit or because a spend limit is reached. The operator has to raise it in the provider's console.";
    case "rate_limit":
      return problem.retryAfter === null
        ? "The provider's rate limit is reached. Try again in a minute."
        : `The provider's rate limit is reached. Try again in ${Math.ceil(problem.retryAfter / 1000)} s.`;
    case "overloaded":
      return problem.status === OVERLOADED || problem.type === "overloaded_error"
        ? `The model is overloaded (${code}).`
        : `The model's provider is out of order (${code}).`;
    case "network":
      return breakSentence({ kind: "timeout" }, named.address);
    case "context":
      return "The conversation is too large for the model. Please start a new conversation.";
    case "not_found":
      return `The provider has no model ${model} at this address. The operator has to check its name and ${named.address}.`;
    case "invalid_request": {
      const said = problem.message === null ? null : publicText(problem.message, secrets);
      return `The provider refused the request (${code})${said === null ? "" : `: ${said}`}. Asking again would be refused too; start a new conversation or tell the operator.`;
    }
    case "unknown":
      return `The provider gave an answer that is not understood (${code}). The operator finds more in the log.`;
  }
};

const breakSentence = (broken: Break, address: string): string => {
  switch (broken.kind) {
    case "unreachable":
      return `The model could not be reached${broken.code === null ? "" : ` (${broken.code})`}. The operator has to check the network and ${address}.`;
    case "timeout":
      return "The model provider took too long to answer. Try again in a moment.";
    case "cut":
      return "The connection to the model broke before the answer was complete. Try again.";
    case "garbled":
      return `The model's answer could not be read. Try again, or tell the operator to check ${address}.`;
    case "stalled":
      return `The model sent nothing for ${Math.ceil(broken.after / 1000)} s. Try again.`;
    case "silent":
      return `The model said nothing for ${Math.ceil(broken.after / 1000)} s, though the connection held. Try again.`;
  }
};

const LIMIT = 300;
/** A part of a secret of this length reveals the secret. */
const TELLTALE = 8;
const KEY_LIKE = /\bsk-[\w-]{6,}|\bbearer\s+\S{6,}|\b(?:x-)?api[-_ ]?key\b\s*[:=]/i;

/** One line of at most 300 characters. Null if the text is empty, looks like a key, or contains part of a secret. */
export const publicText = (text: string, secrets: readonly string[]): string | null => {
  const line = text
    .slice(0, LIMIT * 4)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .replace(/[.\s]+$/, "");
  if (line === "" || KEY_LIKE.test(text) || secrets.some((secret) => tells(text, secret))) return null;
  return clipCodePoints(line, LIMIT);
};

const tells = (text: string, secret: string): boolean => {
  const size = Math.min(TELLTALE, secret.length);
  if (size === 0) return false;
  for (let from = 0; from + size <= secret.length; from += 1) {
    if (text.includes(secret.slice(from, from + size))) return true;
  }
  return false;
};
