/** Slack as the matrix needs it: the wire-level fake with its people, and the adapter's own parts on it. */

import * as z from "zod";
import { admitEnvelope, slackMessageOf } from "../../../adapters/slack/receive/inbound.ts";
import { createSlackBacklog } from "../../../adapters/slack/receive/backlog.ts";
import { createSlackOpener } from "../../../adapters/slack/write/open.ts";
import { readSlackBody } from "../../../adapters/slack/read/read.ts";
import { createStreamGate } from "../../../adapters/slack/write/stream-gate.ts";
import { slackRenderer } from "../../../adapters/slack/write/render.ts";
import { createSlackSurface, slackLimits } from "../../../adapters/slack/write/surface.ts";
import type { Millis } from "../../../src/machine/id.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import type { Limits } from "../../../src/ports/surface.ts";
import { noteClick } from "../../fakes/slack/controls.ts";
import { createFakeSlack, type FakeSlack } from "../../fakes/slack/fake.ts";
import { type Fault as SlackFault, wasApplied } from "../../fakes/slack/fault.ts";
import { earsOf, eventsOf, self } from "../ears.ts";
import type { Click, Connection, ConnectOptions, Place, Town } from "../platform.ts";
import { everyday } from "../script.ts";
import { english } from "../../../src/i18n/say.ts";
import { createSlackClient } from "../../../adapters/slack/api/client.ts";

export const createSlackTown = async (): Promise<Town> => {
  const fake = await createFakeSlack({ rates: "off", events: [] });
  const { channels } = fake.world;
  const general = fake.world.channelNamed("general");
  let days = 0;
  return {
    surface: "slack",
    play: everyday,
    place: () => {
      days += 1;
      const name = `day${days}`;
      channels.set(`CDAY${days}`, { ...general, id: `CDAY${days}`, name });
      return slackPlace(fake, name);
    },
    connect: (options) => connectToSlack(fake, options),
    faults: Object.entries(FAULTS).map(([name, fault]) => ({
      name,
      applied: wasApplied(fault),
      stalls: fault.kind === "stall",
    })),
    spoil: (name, isNext) => {
      const fault = FAULTS[name];
      if (fault === undefined) throw new Error(`no fault is called ${name}`);
      let over = false;
      const match = ({ method }: { readonly method: string }): boolean => !over && isNext(method);
      fake.fault(fault, { times: Number.POSITIVE_INFINITY, match });
      return () => {
        over = true;
      };
    },
    violations: fake.violations,
    close: fake.close,
  };
};

export const connectToSlack = (
  fake: Pick<FakeSlack, "botToken" | "apiUrl">,
  { timeout, limits = quick, ledger, clock, around }: ConnectOptions,
): Connection => {
  const connect = () => createSlackClient(fake.botToken, { apiUrl: fake.apiUrl, timeout });
  const client = connect();
  const ears = earsOf(ledger);
  return {
    platform: createSlackSurface(client, {
      limits,
      native: {
        gate: createStreamGate({ places: "all", self: () => self, clock, log: silentLog }),
        clock,
      },
      patience: { bytes: timeout, looks: LOOKS },
    }),
    renderer: slackRenderer(english),
    backlog: createSlackBacklog(client, ears),
    opener: createSlackOpener(
      Object.assign(connect(), {
        apiCall: (method: string, given?: Record<string, unknown>) =>
          around(method, () => client.apiCall(method, given)),
      }),
    ),
    admit: (event) => admitEnvelope(event, ears),
    saidOf: ({ body }) => {
      const read = readSlackBody(body);
      return read?.kind === "message" ? slackMessageOf(read, self) : null;
    },
  };
};

export const slackPlace = (fake: FakeSlack, name: string): Place => {
  const { id } = fake.world.channelNamed(name);
  const alice = fake.as("alice");
  return {
    id,
    alice: "slack:UALICE",
    say: (text, root) =>
      root === null
        ? alice.say(`@parley ${text}`, { channel: name }).ts
        : (alice.say(text, { channel: name, thread: root }), root),
    events: (root) => {
      const message = fake.world.thread(id, root).findLast(({ botId }) => botId === undefined);
      if (message === undefined) throw new Error("nothing was said");
      const { ts, text, user } = message;
      return eventsOf(id, { ts, text, user, ...(ts === root ? {} : { thread_ts: root }) });
    },
    button: (root, action) => buttonIn(fake, id, root, action),
    opened: () =>
      fake.world
        .messages(id)
        .filter(({ threadTs, botId }) => threadTs === undefined && botId !== undefined)
        .map(({ ts }) => ts),
    thread: (root) => fake.threadAsText(id, root),
    story: (root) => fake.storyAsText(id, root),
  };
};

/** The fake shares a file at once, or never. */
const LOOKS: readonly Millis[] = [1, 1];

/** Slack's limits with so many calls to spend that none waits for the clock. */
const quick: Limits = {
  ...slackLimits,
  budgetOf: (...given) => ({ ...slackLimits.budgetOf(...given), burst: 10_000 }),
};

const buttonIn = (fake: FakeSlack, channel: string, root: string, action: Click["action"]): Click | null => {
  const message = fake.world.thread(channel, root).at(-1);
  const found = (message?.blocks ?? [])
    .flatMap((block): readonly unknown[] => (Array.isArray(block["elements"]) ? block["elements"] : []))
    .map((element) => button.safeParse(element).data)
    .find((element) => element?.action_id.replace(/\/\d+$/, "") === `parley_${action}`);
  return message === undefined || found === undefined
    ? null
    : {
        action,
        value: found.value,
        press: () => noteClick(fake.world, message, "UALICE", found.text.text),
      };
};

const button = z.object({
  action_id: z.string(),
  value: z.string(),
  text: z.object({ text: z.string() }),
});

const FAULTS: Readonly<Record<string, SlackFault>> = {
  "429 with Retry-After": { kind: "status", status: 429, retryAfter: "2" },
  "a reset before it was applied": { kind: "cut", applied: false, how: "reset" },
  "a reset after it was applied": { kind: "cut", applied: true, how: "reset" },
  "a lost acknowledgement": { kind: "cut", applied: true, how: "end" },
  "a timeout before it was applied": { kind: "stall", applied: false },
  "a timeout after it was applied": { kind: "stall", applied: true },
  "a 503 from a proxy": { kind: "status", status: 503, body: "html" },
  "an internal error after it was applied": { kind: "error", error: "internal_error", applied: true },
  "an answer that is none": { kind: "nonsense", text: "<html>" },
};
