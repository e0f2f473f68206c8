/** A short soak: counts alone, because times say nothing on a busy machine. `npm run soak` is the long one. */

import { expect, it } from "vitest";
import { leftOver } from "./judge.ts";
import { soak } from "./soak.ts";

it("of messages on Slack and Discord each is answered once although requests go wrong, and no handle is left", async () => {
  const soaked = await soak({ seconds: 4, rate: 10, samples: 1 }, () => undefined);
  const { end } = soaked;
  expect(end.said).toBeGreaterThan(30);
  expect(end.spoiled).toBeGreaterThan(0);
  const { lost, threads, doubled, violations } = end;
  expect({ lost, threads, doubled, violations }).toEqual({
    lost: [],
    threads: [],
    doubled: [],
    violations: [],
  });
  expect(leftOver(soaked)).toEqual([]);
});
