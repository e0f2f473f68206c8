/**
 * Errors in OpenAI's format; `details` is Phase 5's addition. Secrets are masked as in answers, because errors quote the model
 * and its calls.
 */

import { HTTPException } from "hono/http-exception";
import { omitUndefined } from "../../text/omit-undefined.ts";
import { maskTexts } from "../../text/secrets/mask-texts.ts";
import { maskSecrets } from "../../text/secrets/known-forms.ts";

type Status = keyof typeof TYPES;

export interface RequestProblem {
  readonly status: Status;
  readonly code: string;
  readonly message: string;
  readonly param?: string | null;
  /** Absent for the usual type of the status. */
  readonly type?: string;
  readonly details?: unknown;
  /** Whether the message was accepted. Clients repeat requests after an error, and would send the message twice. */
  readonly isTaken?: true;
}

const TYPES = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "budget_error",
  403: "permission_error",
  404: "invalid_request_error",
  409: "conflict_error",
  413: "invalid_request_error",
  429: "rate_limit_error",
  500: "server_error",
  502: "server_error",
  503: "server_error",
} as const;

export const errorBody = ({
  status,
  type = TYPES[status],
  code,
  message,
  param = null,
  details,
}: RequestProblem) => ({
  error: {
    type,
    code,
    message: maskSecrets(message),
    param,
    ...(details === undefined ? {} : { details: maskTexts(details, maskSecrets) }),
  },
});

/** `session`: session of the failed request. */
export const gatewayFailure = (problem: RequestProblem, session?: string): Response => {
  const headers = {
    ...omitUndefined({ "x-session-id": session }),
    // OpenAI's clients repeat requests after 409, 429 and 5xx, unless this header forbids it.
    ...(problem.isTaken === true ? { "x-should-retry": "false" } : {}),
  };
  return Response.json(errorBody(problem), { status: problem.status, headers });
};

export const gatewayRefusal = (problem: RequestProblem, session?: string): HTTPException =>
  new HTTPException(problem.status, { res: gatewayFailure(problem, session) });

export const invalidRequest = (message: string, param: string | null = null): HTTPException =>
  gatewayRefusal({ status: 400, code: "invalid_request", message, param });
