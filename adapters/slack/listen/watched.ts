/** The Web API's client, which tells what Slack holds against the token as such, whichever call meets it. */

import { webApi } from "@slack/bolt";
import { SCOPES } from "./manifest.ts";
import { codeOf, refusalOf } from "./token-trouble.ts";

/** Told at every call that meets it. */
export type Refusal =
  | { readonly kind: "token"; readonly why: string; readonly remedy: string }
  /** `scope`: as Slack names what is missing; several with commas where any of them would do. */
  | { readonly kind: "scope"; readonly scope: string; readonly method: string; readonly purpose: string };

/** The one place that every call of every method passes. */
export class Watched extends webApi.WebClient {
  readonly #refused: (refusal: Refusal) => void;

  constructor(token: string, options: webApi.WebClientOptions, refused: (refusal: Refusal) => void) {
    super(token, options);
    this.#refused = refused;
  }

  override async apiCall(
    method: string,
    options?: Record<string, unknown>,
  ): Promise<webApi.WebAPICallResult> {
    try {
      return await super.apiCall(method, options);
    } catch (error) {
      const refusal = told(error, method);
      if (refusal !== null) this.#refused(refusal);
      throw error;
    }
  }
}

const told = (error: unknown, method: string): Refusal | null => {
  if (!(error instanceof webApi.WebAPIPlatformError)) return null;
  if (error.data.error === "missing_scope") {
    const scope = "needed" in error.data ? String(error.data.needed) : "";
    const purpose =
      scope
        .split(",")
        .map((one) => SCOPES[one])
        .find((one) => one !== undefined) ?? "it";
    return { kind: "scope", scope, method, purpose };
  }
  const trouble = refusalOf(error);
  return trouble.kind === "refused" ? { ...trouble, kind: "token", why: codeOf(error) } : null;
};
