/** A watch of a channel on Slack that hears what it is given, on and within its bounds. */

import type { WatchSource, Watch } from "../../../src/features/watches/store/watches.ts";

export const watchWith = (source: WatchSource, part: Partial<Watch> = {}): Watch => ({
  id: "github-1",
  surface: "slack",
  place: "C1",
  source,
  mode: null,
  instructions: null,
  perHour: 6,
  standing: { kind: "on" },
  failures: 0,
  by: "slack:U1",
  at: 1,
  ...part,
});
