/**
 * Runs before the tests of each file: sets the seed of random tests and the time limit of waits, and removes the file's
 * scratch directories at its end.
 */

// oxlint-disable-next-line import/no-unassigned-import -- loads Node's HTTP client first, as in the host (app/process/dispatcher.test.ts)
import "node:http";
import { channel } from "node:diagnostics_channel";
import fc from "fast-check";
import { afterAll, vi } from "vitest";
import { removeScratch } from "./scratch.ts";
import { testSeed } from "./seed.ts";
import { MOST_WAIT } from "./patience.ts";

fc.configureGlobal({ seed: testSeed() });

/** As `expect.poll` has it in vitest.config.ts: the default of a second is not enough on a busy machine. */
const { waitFor } = vi;
const patiently: typeof waitFor = (callback, options) =>
  waitFor(callback, typeof options === "number" ? options : { timeout: MOST_WAIT, ...options });
// Another file of this worker may have been here.
if (waitFor.name !== "patiently") vi.waitFor = patiently;

/**
 * A host of several that has not left would end each request of the worker's next files. Hooks run in reverse order: this one
 * after the removal, which its error would prevent.
 */
afterAll(() => {
  if (channel("http.client.request.start").hasSubscribers)
    throw new Error("a host of this file has not left");
});

/** Hundreds of hosts leave files by the hundred thousand. */
const REMOVAL_LIMIT = 600_000;
afterAll(removeScratch, REMOVAL_LIMIT);
