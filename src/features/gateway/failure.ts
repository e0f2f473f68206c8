/** Errors in OpenAI's form; `details` is Phase 5's addition. Masked, as answers are: they quote the model and its calls. */

import { HTTPException } from "hono/http-exception";
import { omitUndefined } from "../../text/given.ts";
import { maskTexts } from "../../text/secrets/mask-texts.ts";
import { maskSecrets } from "../../text/secrets/known-forms.ts";

type Status = keyof typeof TYPES;

export interface RequestProblem {
  readonly status: Status;
  readonly code: string;
  readonly message: string;
  /** The field of the request that is wrong. */
  readonly param?: string | null;
  /** Where it is not the status's own. */
  readonly type?: string;
  readonly details?: unknown;
  /** The message was taken: sent again by itself, as clients do after an error, it would be said twice. */
  readonly isTaken?: true;
}

/** OpenAI's own, where it has one. */
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

/** `session`: the one that it happened in. */
export const gatewayFailure = (problem: RequestProblem, session?: string): Response => {
  const headers = {
    ...omitUndefined({ "x-session-id": session }),
    // OpenAI's clients repeat requests by themselves after 409, 429 and 5xx, unless they are told.
    ...(problem.isTaken === true ? { "x-should-retry": "false" } : {}),
  };
  return Response.json(errorBody(problem), { status: problem.status, headers });
};

/** To be thrown: ends the request with this answer. */
export const gatewayRefusal = (problem: RequestProblem, session?: string): HTTPException =>
  new HTTPException(problem.status, { res: gatewayFailure(problem, session) });

export const invalidRequest = (message: string, param: string | null = null): HTTPException =>
  gatewayRefusal({ status: 400, code: "invalid_request", message, param });
