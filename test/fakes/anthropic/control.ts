/** The fake's own routes under `/__fake/`, for tests that run it as a process of its own (D36). Not in the journal. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { answerControl, type Asked } from "../shared/control.ts";
import type { FakeAnthropic } from "./fake.ts";
import { faultSchema, matchSchema } from "./fault.ts";
import { turnSchema } from "./turn.ts";

const scriptSchema = z.object({
  turns: z.array(turnSchema),
  match: matchSchema.optional(),
  /** Give every turn for ever instead of once. */
  always: z.boolean().optional(),
});
const faultsSchema = z.object({
  faults: z.array(faultSchema),
  times: z.int().positive().optional(),
  match: matchSchema.optional(),
});

/**
 * `POST script {turns, match?, always?}` · `POST faults {faults, times?, match?}` · `POST gates/NAME/open` ·
 * `GET gates/NAME/reached` (waits) · `GET journal?atLeast=N&path=P` (waits) · `GET requests/SEQ/ended` (waits) ·
 * `GET violations`. What is not understood is answered 400 with the reason.
 */
export const control = (
  fake: FakeAnthropic,
  request: IncomingMessage,
  body: unknown,
  response: ServerResponse,
): Promise<void> => answerControl(request, response, (asked) => answerTo(fake, asked, body));

const answerTo = async (
  fake: FakeAnthropic,
  { what, name, query }: Asked,
  body: unknown,
): Promise<object | null> => {
  switch (what) {
    case "POST script": {
      const { turns, match = {}, always = false } = scriptSchema.parse(body);
      for (const turn of turns) {
        if (always) {
          fake.scriptAlways(turn, match);
        } else {
          fake.scriptFor(match, turn);
        }
      }
      return { scripted: turns.length };
    }
    case "POST faults": {
      const { faults, times = 1, match = {} } = faultsSchema.parse(body);
      for (const fault of faults) {
        fake.fault(fault, { times, match });
      }
      return { faults: faults.length };
    }
    case "POST gates/open":
      fake.gate(name).open();
      return { opened: name };
    case "GET gates/reached":
      await fake.gate(name).reached;
      return { reached: name };
    case "GET journal": {
      const path = query("path") || "/v1/messages";
      await fake.waitFor(Number(query("atLeast")), path);
      const seen = fake.requests.filter((one) => one.path === path);
      return { requests: seen.map(({ ended: _ended, aborted: _aborted, ...told }) => told) };
    }
    case "GET requests/ended": {
      const one = fake.requests.find((entry) => entry.seq === Number(name));
      return one === undefined ? { error: `no request ${name}` } : await one.ended;
    }
    case "GET violations":
      return { violations: fake.violations, pending: fake.pending() };
  }
  return null;
};
