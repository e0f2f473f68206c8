/** Discord as the matrix needs it: the wire-level fake with its people, and the adapter's own parts on it. */

import { createDiscordBacklog } from "../../../adapters/discord/receive/backlog.ts";
import {
  admitDispatch,
  type DiscordInboundContext,
  readStoredEvent,
  discordMessageOf,
} from "../../../adapters/discord/receive/inbound.ts";
import { createInteractionTokens } from "../../../adapters/discord/write/interaction-tokens.ts";
import { createDiscordOpener } from "../../../adapters/discord/write/open.ts";
import { discordRenderer } from "../../../adapters/discord/write/render.ts";
import { createThreads } from "../../../adapters/discord/read/threads.ts";
import { createDiscordCalls } from "../../../adapters/discord/api/calls.ts";
import { createDiscordSurface, discordLimits } from "../../../adapters/discord/write/surface.ts";
import type { Limits } from "../../../src/ports/surface.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { componentsIn } from "../../fakes/discord/content.ts";
import { createFakeDiscord, type FakeDiscord } from "../../fakes/discord/fake.ts";
import { type Fault as DiscordFault, wasApplied } from "../../fakes/discord/fault.ts";
import { messageWire } from "../../fakes/discord/wire.ts";
import type { Channel, Message } from "../../fakes/discord/world.ts";
import type { Click, Connection, ConnectOptions, Place, Town } from "../platform.ts";
import { everyday } from "../script.ts";
import { english } from "../../../src/i18n/say.ts";

export const createDiscordTown = async (): Promise<Town> => {
  const fake = await createFakeDiscord({ rates: "off" });
  const general = fake.world.channelNamed("general");
  if (general.kind === "thread") throw new Error("#general is a channel");
  return {
    surface: "discord",
    play: everyday,
    place: () => {
      const channel: Channel = { ...general, id: fake.world.nextId(), name: `day${fake.world.nextId()}` };
      fake.world.putChannel(channel);
      return discordPlace(fake, channel);
    },
    connect: (options) => connectToDiscord(fake, options),
    faults: Object.entries(FAULTS).map(([name, fault]) => ({
      name,
      applied: wasApplied(fault),
      stalls: fault.kind === "stall",
    })),
    spoil: (name, isNext) => {
      const fault = FAULTS[name];
      if (fault === undefined) throw new Error(`no fault is called ${name}`);
      let over = false;
      // Typing is a courtesy: nothing depends on it, and how often it is renewed is the clock's affair.
      const match = ({ route }: { readonly route: string }): boolean =>
        !over && route !== TYPING && isNext(route);
      fake.fault(fault, { times: Number.POSITIVE_INFINITY, match });
      return () => {
        over = true;
      };
    },
    violations: fake.violations,
    close: fake.close,
  };
};

const TYPING = "POST /channels/{channel}/typing";

export const connectToDiscord = (
  fake: FakeDiscord,
  { timeout, limits = quick, ledger, clock, around }: ConnectOptions,
): Connection => {
  const { token, apiUrl, world } = fake;
  const calls = createDiscordCalls({ token, apiUrl, timeout, perSecond: Number.POSITIVE_INFINITY });
  const ears: DiscordInboundContext = {
    names: {
      user: () => null,
      role: () => null,
      channel: () => null,
      isSelf: (id) => id === world.app.bot,
    },
    parent: (id) => {
      const channel = world.channels.get(id);
      return channel?.kind === "thread" ? channel.parent : null;
    },
    knows: (place, root) => ledger.find("discord", place, root) !== null,
    hears: () => false,
    sees: () => false,
    keeps: () => false,
    isForum: () => false,
    answers: () => false,
    isOurs: () => false,
    stops: () => false,
  };
  return {
    platform: createDiscordSurface(
      {
        calls,
        clock,
        threads: createThreads(calls, { isChannel: () => false }),
        isForum: () => false,
        reach: { refused: () => undefined },
        called: { people: [], roles: [] },
        say: () => english,
        whispers: createInteractionTokens(clock),
        self: () => world.app.bot,
      },
      limits,
    ),
    renderer: discordRenderer(english),
    backlog: createDiscordBacklog(
      { calls, clock, log: silentLog, ears, forwards: { hear: () => undefined } },
      "1",
    ),
    opener: createDiscordOpener({
      calls: {
        ...calls,
        call: (method, route, request) =>
          around(`${method} ${route.replaceAll(/\d+/g, "N")}`, () => calls.call(method, route, request)),
      },
      self: () => world.app.bot,
    }),
    admit: (event) => admitDispatch("MESSAGE_CREATE", event, ears),
    saidOf: ({ body }) => {
      const kept = readStoredEvent(body);
      if (kept?.kind !== "message") return null;
      const { channel_id: channel } = kept.message;
      const parent = ears.parent(channel);
      const spot = parent === null ? { place: channel, root: null } : { place: parent, root: channel };
      return discordMessageOf(kept.message, spot, ears);
    },
  };
};

export const discordPlace = (fake: FakeDiscord, { id }: Pick<Channel, "id">): Place => {
  const { world } = fake;
  const alice = fake.as("alice");
  const read = (root: string): string => (world.channels.has(root) ? fake.asText(root) : "");
  return {
    id,
    alice: `discord:${alice.id}`,
    say: (text, root) => {
      if (root === null) return alice.say(id, `@parley ${text}`).id;
      alice.say(root, text);
      return root;
    },
    events: (root) => {
      const message = world.messages(root).findLast(({ author }) => author === alice.id);
      const said = message ?? world.message(id, root);
      if (said === undefined) throw new Error("nothing was said");
      return [{ ...messageWire(world, said, fake.url), guild_id: "1" }];
    },
    button: (root, action) => buttonIn(world.messages(root).at(-1), action),
    opened: () =>
      world
        .messages(id)
        .filter(({ author }) => author === world.app.bot)
        .map((one) => one.id),
    thread: read,
    story: read,
  };
};

/** Discord's limits with so many calls to spend that none waits for the clock. */
const quick: Limits = {
  ...discordLimits,
  budgetOf: (...given) => ({ ...discordLimits.budgetOf(...given), burst: 10_000 }),
};

const buttonIn = (message: Message | undefined, action: Click["action"]): Click | null => {
  const prefix = `parley_${action}:`;
  const found = componentsIn(message?.components ?? [])
    .map((one) => String(one["custom_id"]))
    .find((id) => id.startsWith(prefix));
  return found === undefined ? null : { action, value: found.slice(prefix.length), press: () => undefined };
};

const FAULTS: Readonly<Record<string, DiscordFault>> = {
  // The client counts in real time, of which a day has none to spare.
  "429 of the route": { kind: "limited", retryAfter: 0 },
  "429 for all": { kind: "limited", retryAfter: 0, scope: "global" },
  "a reset before it was applied": { kind: "cut", applied: false, how: "reset" },
  "a reset after it was applied": { kind: "cut", applied: true, how: "reset" },
  "a lost acknowledgement": { kind: "cut", applied: true, how: "end" },
  "a timeout before it was applied": { kind: "stall", applied: false },
  "a timeout after it was applied": { kind: "stall", applied: true },
  "a 503 from a proxy": { kind: "status", status: 503, body: "html" },
  "an internal error after it was applied": { kind: "status", status: 500, applied: true },
  "an answer that is none": { kind: "nonsense", text: "<html>" },
};
