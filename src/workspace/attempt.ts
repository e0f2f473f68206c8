/** The edge between node's file system, which throws, and the workspace, where failure is a value. */

import type { Trouble } from "./git-trouble.ts";

export type Attempt<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "trouble"; readonly trouble: Trouble };

/** Turns what is thrown into a trouble that names the system's own code, or the reason where there is none. */
export const attempt = async <T>(work: () => Promise<T>): Promise<Attempt<T>> => {
  try {
    return { kind: "done", value: await work() };
  } catch (error) {
    return { kind: "trouble", trouble: troubleOfError(error) };
  }
};

const troubleOfError = (error: unknown): Trouble => {
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
  if (code === "ENOSPC" || code === "EDQUOT") return { kind: "noSpace" };
  return { kind: "host", reason: code ?? (error instanceof Error ? error.message : String(error)) };
};

/** An attempt at something that answers for itself. */
export const flat = <A extends { readonly kind: string }>(
  attempted: Attempt<A>,
): A | Exclude<Attempt<A>, { readonly kind: "done" }> =>
  attempted.kind === "done" ? attempted.value : attempted;
