/** Errors in OpenAI's form; `details` is Phase 5's addition. Masked, as answers are: they quote the model and its calls. */

import { maskedValue } from "../../src/text/secrets/masked-value.ts";
import { maskSecrets } from "../../src/text/secrets/secrets.ts";

export interface GatewayError {
  readonly error: {
    readonly type: string;
    readonly code: string;
    readonly message: string;
    readonly param: null;
    readonly details?: unknown;
  };
}

export const errorBody = (type: string, code: string, message: string, details?: unknown): GatewayError => ({
  error: {
    type,
    code,
    message: maskSecrets(message),
    param: null,
    ...(details === undefined ? {} : { details: maskedValue(details) }),
  },
});

export const failure = (
  status: number,
  type: string,
  code: string,
  message: string,
  details?: unknown,
): Response => Response.json(errorBody(type, code, message, details), { status });
