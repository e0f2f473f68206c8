/** How a write fails. */

export type WriteFailure = {
  readonly kind: "failed";
  /** `conflict`: what is stored contradicts the write, so trying again cannot help. */
  readonly code: "disk_full" | "read_only" | "io" | "conflict" | "closing";
  readonly message: string;
};
