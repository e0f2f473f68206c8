/** Errors in the shape of the API: `{ type: "error", error: { type, message, details? }, request_id }`. */

import type { ErrorType } from "@anthropic-ai/sdk/resources/shared";

export interface Problem {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The `retry-after` header. */
  readonly retryAfter?: string;
}

export const invalidRequest = (message: string, details?: Problem["details"]): Problem => ({
  status: 400,
  type: "invalid_request_error",
  message,
  ...(details === undefined ? {} : { details }),
});

export const problemBody = (problem: Problem, requestId: string): Readonly<Record<string, unknown>> => ({
  type: "error",
  error: {
    type: problem.type,
    message: problem.message,
    ...(problem.details === undefined ? {} : { details: problem.details }),
  },
  request_id: requestId,
});

/** The error type that the API gives a status when nothing else is said. */
export const typeOfStatus = (status: number): ErrorType => {
  if (status >= 500) {
    return status === 529 ? "overloaded_error" : status === 504 ? "timeout_error" : "api_error";
  }
  return typesBelow500[status] ?? "invalid_request_error";
};

const typesBelow500: Readonly<Record<number, ErrorType>> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  408: "timeout_error",
  409: "conflict_error",
  429: "rate_limit_error",
};
