/** The fake's own routes under `/__fake/`, for tests that run it as a process of its own (D36). Not in the journal. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { answerControl, type Asked } from "../../shared/control.ts";
import { deedSchema, perform } from "./deeds.ts";
import { deliveryFaultSchema } from "../deliveries.ts";
import type { FakeSlack } from "../fake.ts";
import { faultSchema } from "../fault.ts";
import { deliveryMatchSchema, matchSchema } from "../match.ts";
import { connectFaultSchema } from "../sockets.ts";

const times = z.int().positive().optional();
const faultsSchema = z.object({ faults: z.array(faultSchema), times, match: matchSchema.optional() });
const deliveryFaultsSchema = z.object({
  faults: z.array(deliveryFaultSchema),
  times,
  match: deliveryMatchSchema.optional(),
});
const connectFaultsSchema = z.object({ faults: z.array(connectFaultSchema) });
const disconnectSchema = z.object({
  reason: z.enum(["warning", "refresh_requested", "link_disabled", "too_many_websockets"]),
});
const asSchema = z.object({ user: z.string(), deed: deedSchema });

/**
 * `POST as {user, deed}` (waits for the acknowledgement of an interaction) · `POST faults {faults, times?, match?}` ·
 * `POST deliveryFaults {faults, times?, match?}` · `POST connectFaults {faults}` · `POST disconnect {reason}` ·
 * `POST cut` (every socket) · `POST gates/NAME/open` · `GET gates/NAME/reached` (waits) ·
 * `GET journal?method=M&atLeast=N` (waits) · `GET sockets?atLeast=N` (waits for N to have been opened) ·
 * `GET thread?channel=C&ts=T` · `GET violations`. What is not understood is answered 400 with the reason.
 */
export const control = (
  fake: FakeSlack,
  request: IncomingMessage,
  text: string,
  response: ServerResponse,
): Promise<void> => answerControl(request, response, (asked) => answerTo(fake, asked, text));

const answerTo = async (
  fake: FakeSlack,
  { what, name, query }: Asked,
  text: string,
): Promise<object | null> => {
  const body = (): unknown => JSON.parse(text);
  switch (what) {
    case "POST as": {
      const { user, deed } = asSchema.parse(body());
      return perform(fake, user, deed);
    }
    case "POST faults": {
      const { faults, times: count = 1, match = {} } = faultsSchema.parse(body());
      for (const fault of faults) {
        fake.fault(fault, { times: count, match });
      }
      return { faults: faults.length };
    }
    case "POST deliveryFaults": {
      const { faults, times: count = 1, match = {} } = deliveryFaultsSchema.parse(body());
      for (const fault of faults) {
        fake.deliveryFault(fault, { times: count, match });
      }
      return { faults: faults.length };
    }
    case "POST connectFaults": {
      const { faults } = connectFaultsSchema.parse(body());
      for (const fault of faults) {
        fake.sockets.fault(fault);
      }
      return { faults: faults.length };
    }
    case "POST disconnect":
      fake.sockets.disconnect(disconnectSchema.parse(body()).reason);
      return {};
    case "POST cut":
      for (const socket of fake.sockets.open) {
        socket.cut();
      }
      return {};
    case "POST gates/open":
      fake.gate(name).open();
      return { opened: name };
    case "GET gates/reached":
      await fake.gate(name).reached;
      return { reached: name };
    case "GET journal": {
      const method = query("method");
      await fake.waitFor(Number(query("atLeast")), method);
      const seen = fake.calls.filter((call) => call.method === method);
      return { calls: seen.map(({ seq, args }) => ({ seq, method, args })) };
    }
    case "GET sockets":
      await fake.sockets.waitFor(Number(query("atLeast")), "opened");
      return { open: fake.sockets.open.length };
    case "GET thread":
      return { text: fake.threadAsText(query("channel"), query("ts")) };
    case "GET violations":
      return { violations: fake.violations };
  }
  return null;
};
