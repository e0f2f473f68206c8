/** The body of a turn's post as tests vary it. */

import type { TurnBody } from "../src/thread/post.ts";

export const turnBody = (given: Partial<TurnBody> = {}): TurnBody => ({
  kind: "turn",
  end: "answered",
  said: ["m-1"],
  changes: [],
  files: [],
  steps: { count: 0, rows: [] },
  notices: [],
  permission: "restricted",
  duration: 12_000,
  ...given,
});
