/** Errors of a request name one thing. */

import { expect, it } from "vitest";
import { z } from "zod";
import { firstProblem } from "../../../src/features/gateway/request.ts";

it("40.A1 of a schema's problems the first alone is told", () => {
  const parsed = z.object({ a: z.array(z.string()) }).safeParse({ a: [1, 2, 3] });
  expect(parsed.success ? "" : firstProblem(parsed.error)).toMatch(/^a\.0: [^;]*$/);
});
