/** The wait after a call, by the headers of Discord's limit of the route (hazard G5). */

import fc from "fast-check";
import { expect, it } from "vitest";
import { waitIn } from "../../../../adapters/discord/api/calls.ts";
import { createBuckets } from "../../../fakes/discord/rules/buckets.ts";
import { createVirtualClock } from "../../../fakes/shared/clock.ts";

const ROUTE = "PATCH /channels/{channel}/messages/{message}";

it("spreads calls so that none is refused, and uses most of the limit", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 500, max: 20_000 }),
      fc.nat(300),
      (size, perMs, delay) => {
        const clock = createVirtualClock(0);
        const buckets = createBuckets(clock, { [ROUTE]: { size, perMs } });
        const calls = 5 * size;
        for (let no = 0; no < calls; no += 1) {
          const { headers, retryAfter } = buckets.take(ROUTE, "1", { size, perMs }, undefined);
          expect(retryAfter).toBeUndefined();
          clock.advance((waitIn(new Headers(headers)) ?? 0) + delay);
        }
        expect(clock.now()).toBeLessThanOrEqual(calls * ((1.35 * perMs) / size + delay + 1));
      },
    ),
  );
});

it("is unknown without the headers, or with headers that are no numbers", () => {
  expect(waitIn(new Headers())).toBeUndefined();
  expect(waitIn(new Headers({ "x-ratelimit-remaining": "4" }))).toBeUndefined();
  expect(
    waitIn(new Headers({ "x-ratelimit-remaining": "many", "x-ratelimit-reset-after": "1" })),
  ).toBeUndefined();
});
