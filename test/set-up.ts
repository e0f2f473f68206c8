/** Before the tests of each file: where random ones begin, and how long is waited for what another part of the process does. */

import fc from "fast-check";
import { vi } from "vitest";
import { testSeed } from "./seed.ts";

fc.configureGlobal({ seed: testSeed() });

/** As `expect.poll` has it in vitest.config.ts: the default of a second is not enough on a busy machine. */
const { waitFor } = vi;
const patiently: typeof waitFor = (callback, options) =>
  waitFor(callback, typeof options === "number" ? options : { timeout: 20_000, ...options });
// Another file of this worker may have been here.
if (waitFor.name !== "patiently") vi.waitFor = patiently;
