/** The fake's own routes under `/__fake/`, for tests that run it as a process of its own (D36). Not in the journal. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { answerControl, type Asked } from "../../shared/control.ts";
import { deedSchema, perform } from "./deeds.ts";
import type { FakeDiscord } from "../fake.ts";
import { connectFaultSchema, dispatchFaultSchema, faultSchema } from "../fault.ts";
import { matchSchema } from "../match.ts";

const faultsSchema = z.object({
  faults: z.array(faultSchema),
  times: z.int().positive().default(1),
  match: matchSchema.default({}),
});
const dispatchFaultsSchema = z.object({
  faults: z.array(dispatchFaultSchema),
  type: z.string(),
  times: z.int().positive().default(1),
});
const connectFaultsSchema = z.object({ faults: z.array(connectFaultSchema) });
const asSchema = z.object({ user: z.string(), deed: deedSchema });
const closeSchema = z.object({ code: z.int() });

/**
 * `POST as {user, deed}` (waits for the answer to an interaction) · `POST faults {faults, times?, match?}` ·
 * `POST dispatchFaults {faults, type, times?}` · `POST connectFaults {faults}` · `POST cut` · `POST reconnect` (op 7) · `POST close {code}` (every connection) ·
 * `POST gates/NAME/open` · `GET gates/NAME/reached` (waits) · `GET journal?route=R&atLeast=N` (waits) ·
 * `GET gateway?kind=identified&atLeast=N` (waits) · `GET text?channel=C` · `GET user?name=N` (the id) · `GET violations`. What is not understood
 * is answered 400 with the reason.
 */
export const control = (
  fake: FakeDiscord,
  request: IncomingMessage,
  text: string,
  response: ServerResponse,
): Promise<void> => answerControl(request, response, (asked) => answerTo(fake, asked, text));

const answerTo = async (
  fake: FakeDiscord,
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
      const { faults, times, match } = faultsSchema.parse(body());
      for (const fault of faults) fake.fault(fault, { times, match });
      return { faults: faults.length };
    }
    case "POST dispatchFaults": {
      const { faults, type, times } = dispatchFaultsSchema.parse(body());
      for (const fault of faults) fake.dispatchFault(fault, type, times);
      return { faults: faults.length };
    }
    case "POST connectFaults": {
      const { faults } = connectFaultsSchema.parse(body());
      fake.gateway.fault(...faults);
      return { faults: faults.length };
    }
    case "POST cut":
      for (const connection of fake.gateway.open) connection.cut();
      return {};
    case "POST reconnect":
      for (const connection of fake.gateway.open) connection.reconnect();
      return {};
    case "POST close": {
      const { code } = closeSchema.parse(body());
      for (const connection of fake.gateway.open) connection.close(code);
      return {};
    }
    case "POST gates/open":
      fake.gate(name).open();
      return { opened: name };
    case "GET gates/reached":
      await fake.gate(name).reached;
      return { reached: name };
    case "GET journal": {
      const route = query("route");
      await fake.waitFor(Number(query("atLeast")), route);
      const seen = fake.calls.filter((call) => call.route === route);
      return { calls: seen.map(({ seq, params, body: sent }) => ({ seq, params, body: sent })) };
    }
    case "GET gateway": {
      const kind = z.enum(["opened", "identified", "resumed", "beat", "closed"]).parse(query("kind"));
      const changes = await fake.gateway.waitFor(Number(query("atLeast")), kind);
      return { changes };
    }
    case "GET text":
      return { text: fake.asText(query("channel")) };
    case "GET user":
      return { id: fake.as(query("name")).id };
    case "GET violations":
      return { violations: fake.violations };
  }
  return null;
};
