/** Who wrote something and when, as GitHub says it. Pure. */

import type { Remark } from "../../ports/forge.ts";

export interface Posted {
  readonly user?: { readonly login?: string } | null;
  readonly created_at?: string;
  readonly submitted_at?: string;
  readonly body?: string | null;
}

export const byWhom = (posted: Posted): Remark => ({
  author: posted.user?.login ?? "ghost",
  at: Date.parse(posted.created_at ?? posted.submitted_at ?? ""),
  text: posted.body ?? "",
});
