/**
 * What the connection survives. Each fault of socket-mode 3.1.0 (hazards S3 to S5) is met by the real client
 * on the wire-level Slack; a rejection that nobody handles fails the run.
 */

import { describe, expect, it, vi } from "vitest";
import { SCOPES } from "../../../adapters/slack/receive/manifest.ts";
import { systemClock } from "../../../src/app/system-clock.ts";
import type { Clock } from "../../../src/ports/host.ts";
import { OFTEN } from "../rig.ts";
import { createRig, type SlackRig } from "./rig.ts";
import { freePort } from "../../free-port.ts";
import { SECRET, sendSigned } from "./signed.ts";

/** Minutes as milliseconds: long waits are over soon, their order stays. */
const restless: Clock = {
  now: systemClock.now,
  after: (delay, fire) => systemClock.after(Math.min(delay / 50, 400), fire),
};

/** How long a line may take to be greeted, and the longest wait between two tries. */
const GREETING = 15_000;

/** The same, but a busy machine may take some seconds to greet a line. */
const hurried: Clock = {
  ...restless,
  after: (delay, fire) => (delay === GREETING ? systemClock.after(3_000, fire) : restless.after(delay, fire)),
};

/** Slack lets go of a line that it has announced to end after two seconds, not ten. */
const QUICK = { times: { disconnectGraceMs: 2_000 } };

const opens = ({ fake }: SlackRig): number =>
  fake.calls.filter(({ method }) => method === "apps.connections.open").length;

/** Both lines are open. */
const connected = async (rig: SlackRig): Promise<void> => {
  await rig.fake.sockets.waitFor(2, "opened");
  expect(rig.slack.standing()).toBe("on");
};

/** How few sockets were open at any moment after the first two. */
const fewest = ({ fake }: SlackRig): number => {
  let open = 0;
  const counts = fake.sockets.changes.map(({ kind }) => (open += kind === "opened" ? 1 : -1));
  return Math.min(...counts.slice(1));
};

const answers = async (rig: SlackRig): Promise<void> => {
  const root = rig.fake.as("bob").say("@parley hello", { channel: "general" });
  await rig.thread(root, /Answer \d+\./);
};

describe("Socket Mode", () => {
  it("uses the app's token for its sockets and the bot's for everything else", async () => {
    const rig = await createRig();
    await connected(rig);
    await answers(rig);
    // The fake records a token where it does not belong.
    expect(opens(rig)).toBe(2);
    expect(rig.fake.violations).toEqual([]);
  });

  it("survives app_rate_limited and frames that are none, which end the client's process by themselves", async () => {
    const rig = await createRig();
    await connected(rig);
    rig.fake.sayRateLimited();
    for (const frame of [
      "null",
      "7",
      '"hello"',
      "{",
      '{"type":"events_api","payload":{}}',
      '{"type":"news"}',
    ]) {
      for (const socket of rig.fake.sockets.open) socket.send(frame);
    }
    await vi.waitFor(() => expect(rig.logged.join("\n")).toContain("slack: events withheld"));
    await answers(rig);
    expect(rig.fake.sockets.changes.map(({ kind }) => kind)).not.toContain("closed");
  });

  it.each(["warning", "refresh_requested"] as const)(
    "replaces a line that Slack announces to end (%s) before it lets it go",
    async (reason) => {
      const rig = await createRig({ fake: QUICK });
      rig.fake.sockets.disconnect(reason);
      await rig.fake.sockets.waitFor(3, "opened");
      rig.fake.sockets.disconnect(reason);
      await rig.fake.sockets.waitFor(3, "closed");
      expect(fewest(rig)).toBeGreaterThan(0);
      await answers(rig);
    },
  );

  it("opens a line that breaks again, while the other one takes what comes", async () => {
    const rig = await createRig();
    await connected(rig);
    rig.fake.sockets.open[0]?.cut();
    await answers(rig);
    await rig.fake.sockets.waitFor(3, "opened");
    for (const socket of rig.fake.sockets.open) socket.cut();
    await rig.fake.sockets.waitFor(5, "opened");
    await answers(rig);
  });

  it("goes on trying after failures that the client takes for final", async () => {
    const rig = await createRig({ clock: hurried });
    await connected(rig);
    const match = { method: "apps.connections.open" };
    rig.fake.fault({ kind: "status", status: 500 }, { times: 6, match });
    rig.fake.fault({ kind: "status", status: 429, retryAfter: "3" }, { times: 2, match });
    rig.fake.fault({ kind: "cut", applied: false }, { times: 2, match });
    for (const socket of rig.fake.sockets.open) socket.cut();
    await rig.fake.sockets.waitFor(4, "opened");
    await answers(rig);
  });

  it("tries again every fifteen seconds at least, however long Slack cannot be reached", async () => {
    const rig = await createRig({ clock: restless });
    await connected(rig);
    rig.fake.fault(
      { kind: "cut", applied: false },
      { times: 16, match: { method: "apps.connections.open" } },
    );
    for (const socket of rig.fake.sockets.open) socket.cut();
    await rig.fake.sockets.waitFor(4, "opened");
    const waits = [...rig.logged.join("\n").matchAll(/"wait":(\d+)/g)].map(([, wait]) => Number(wait));
    // A busy machine may lose a line more.
    expect(waits.length).toBeGreaterThanOrEqual(16);
    expect(Math.max(...waits)).toBe(15_000);
  });

  it.each([
    ["before the upgrade", { kind: "refuse", status: 502 }],
    ["before Slack greets", { kind: "noHello" }],
    ["right after Slack greeted", { kind: "cutAfterHello" }],
  ] as const)("40.B catches up what was written while lines were lost %s, once", async (_, fault) => {
    const rig = await createRig({ clock: hurried });
    await connected(rig);
    for (let no = 0; no < 3; no += 1) rig.fake.sockets.fault(fault);
    const lost = [...rig.fake.sockets.open];
    for (const socket of lost) socket.cut();
    await rig.fake.sockets.waitFor(lost.length, "closed");
    const roots = ["one", "two"].map((no) =>
      rig.fake.as("bob").say(`@parley ${no}?`, { channel: "general" }),
    );
    for (const root of roots) await rig.thread(root, /Answer \d+\./);
    expect(rig.asked).toHaveLength(roots.length);
    await vi.waitFor(() => expect(rig.slack.standing()).toBe("on"), OFTEN);
    await answers(rig);
  });

  it("names a token that is refused, keeps the host running, and comes back when it is put right", async () => {
    const rig = await createRig({ clock: hurried });
    await connected(rig);
    let isRefused = true;
    rig.fake.fault(
      { kind: "error", error: "invalid_auth" },
      {
        times: Number.POSITIVE_INFINITY,
        match: ({ method }) => isRefused && method === "apps.connections.open",
      },
    );
    for (const socket of rig.fake.sockets.open) socket.cut();
    await vi.waitFor(() => expect(rig.slack.standing()).toBe("off: invalid_auth"), OFTEN);
    isRefused = false;
    expect(rig.logged.join("\n")).toContain(
      'error slack: app-level token refused {"why":"invalid_auth","remedy":"The token is not valid',
    );
    await rig.fake.sockets.waitFor(4, "opened");
    expect(rig.slack.standing()).toBe("on");
    await answers(rig);
  });

  it("gives up a line that is not greeted, and takes another", async () => {
    const rig = await createRig({
      clock: hurried,
      prepare: async ({ fake }) => fake.sockets.fault({ kind: "noHello" }),
    });
    await rig.fake.sockets.waitFor(2, "opened");
    expect(opens(rig)).toBe(3);
    await answers(rig);
  });

  it("says loudly that a second process holds the same app token, and nothing of the kind about its own lines", async () => {
    const first = await createRig({ fake: QUICK });
    await connected(first);
    first.fake.sockets.open[0]?.cut();
    await first.fake.sockets.waitFor(3, "opened");
    first.fake.sockets.disconnect("refresh_requested");
    await first.fake.sockets.waitFor(5, "opened");
    expect(first.logged.join("\n")).not.toContain("slack: app token used by another process");
    const second = await createRig({ on: first.fake });
    await vi.waitFor(() =>
      expect(second.logged.join("\n")).toContain("slack: app token used by another process"),
    );
  });
});

/** The rest of the host. */
const anotherConversation = ({ bot }: SlackRig) =>
  bot.create({
    surface: "console",
    repo: { kind: "path", location: "/x" },
    title: "still here",
    by: "console:operator",
  });

describe("tokens and scopes", () => {
  it("a revoked bot token is named, the host runs, and Slack is tried again", async () => {
    const rig = await createRig({ prepare: async ({ fake }) => fake.revoke() });
    expect(rig.slack.standing()).toMatch(
      /^off: token_revoked\. The token was revoked: install the app again/,
    );
    expect(rig.logged.join("\n")).toContain('slack: bot token refused {"why":"token_revoked"');
    expect((await anotherConversation(rig)).kind).toBe("created");
  });

  it("a bot token that is revoked while the host runs is named once; what was written waits, and is answered when it works", async () => {
    const rig = await createRig({ clock: hurried });
    await connected(rig);
    rig.fake.revoke();
    const root = rig.fake.as("bob").say("@parley hello", { channel: "general" });
    rig.fake.as("carol").say("@parley hello too", { channel: "general" });
    await vi.waitFor(
      () =>
        expect(rig.slack.standing()).toMatch(/^off: token_revoked\. The token was revoked: install the app/),
      OFTEN,
    );
    expect((await anotherConversation(rig)).kind).toBe("created");
    rig.fake.reinstall();
    await rig.thread(root, /Answer \d/);
    await vi.waitFor(() => expect(rig.slack.standing()).toBe("on"), OFTEN);
    const named = rig.logged.filter((line) =>
      line.includes('slack: bot token refused {"why":"token_revoked"'),
    );
    expect(named).toHaveLength(1);
    await vi.waitFor(() => expect(rig.asked).toHaveLength(2), OFTEN);
    expect(rig.logged.join("\n")).toContain("slack: bot token accepted again");
  });

  it("what waited for a revoked token when the process ended is answered by the next one", async () => {
    const rig = await createRig({ clock: hurried });
    await connected(rig);
    rig.fake.revoke();
    const root = rig.fake.as("bob").say("@parley hello", { channel: "general" });
    await vi.waitFor(() => expect(rig.slack.standing()).toMatch(/^off: token_revoked/), OFTEN);
    await rig.close();
    expect(rig.asked).toEqual([]);
    rig.fake.reinstall();
    const after = await rig.restart();
    await after.thread(root, /Answer 1/);
  });

  it("a scope that is taken away while the host runs is named once, and all that needs it not goes on", async () => {
    const rig = await createRig({
      fake: {
        users: [{ name: "eve", role: "external" }, { name: "bob" }, { name: "alice", role: "owner" }],
      },
    });
    await connected(rig);
    rig.fake.reinstall(Object.keys(SCOPES).filter((scope) => scope !== "files:read"));
    const place = { channel: "general", files: [{ name: "a.png", bytes: Buffer.from("png") }] };
    for (const text of ["one", "two"]) {
      const root = rig.fake.as("eve").say(text, place);
      rig.fake.as("bob").say("@parley look", { channel: "general", thread: root.ts });
      await rig.thread(root, /Answer \d/);
    }
    const named = rig.logged.filter(
      (line) => line.startsWith("error") && line.includes("slack: scope missing"),
    );
    expect(named).toEqual([
      expect.stringContaining(
        'error slack: scope missing {"scope":"files:read","purpose":"pictures and files',
      ),
    ]);
    expect(rig.slack.standing()).toBe("on");
  });

  it("a missing scope is named where it is missed", async () => {
    const rig = await createRig({
      fake: { scopes: ["chat:write", "app_mentions:read", "channels:history"] },
    });
    rig.fake.as("bob").say("@parley hello", { channel: "general" });
    await vi.waitFor(() => expect(rig.logged.join("\n")).toContain('"scope":"users:read"'));
    await vi.waitFor(() =>
      expect(rig.fake.world.ephemerals[0]?.text ?? "").toContain("missing_scope (users:read)"),
    );
  });
});

describe("stored before it is acknowledged", () => {
  it("what the disk refuses is not acknowledged, and comes again", async () => {
    let refusals = 1;
    const rig = await createRig({
      fake: { times: { ackTimeoutMs: 300 } },
      disk: (chat) => ({
        ...chat,
        arrive: (surface, rows) =>
          refusals-- > 0
            ? Promise.resolve({ kind: "failed", code: "disk_full", message: "full" })
            : chat.arrive(surface, rows),
      }),
    });
    const root = rig.fake.as("bob").say("@parley hello", { channel: "general" });
    await rig.thread(root, /Restricted ·/);
    await rig.fake.settled();
    expect(rig.fake.deliveries.filter(({ sockets }) => sockets.length > 1)).not.toEqual([]);
    expect(rig.asked).toHaveLength(1);
    expect(rig.logged.join("\n")).toContain("slack: event not accepted");
  });

  it("what is stored when its line has broken is no refusal: it is known when it comes again, and answered once", async () => {
    const broken = Promise.withResolvers<void>();
    const rig = await createRig({
      fake: { times: { ackTimeoutMs: 300 } },
      disk: (chat) => ({
        ...chat,
        arrive: async (...given) => {
          await broken.promise;
          return chat.arrive(...given);
        },
      }),
    });
    await connected(rig);
    rig.fake.deliveryFault({ kind: "cutBeforeAck" });
    const root = rig.fake.as("bob").say("@parley hello", { channel: "general" });
    // The host has seen the end of its line where it has opened another.
    await rig.fake.sockets.waitFor(3, "opened");
    broken.resolve();
    await rig.thread(root, /Restricted ·/);
    await rig.fake.settled();
    expect(rig.asked).toHaveLength(1);
    expect(rig.logged.join("\n")).toContain("slack: stored event not acknowledged");
    expect(rig.logged.join("\n")).not.toContain("slack: event not accepted");
  });

  it("what was stored and not handled when the process ended is handled by the next one, once", async () => {
    const rig = await createRig();
    await connected(rig);
    await rig.close();
    const root = rig.fake.as("bob").say("@parley hello", { channel: "general" });
    const [message, mention] = rig.fake.deliveries.slice(-2);
    const after = await createRig({
      on: rig.fake,
      prepare: async ({ chat }) => {
        await chat.arrive("slack", [
          { id: `message/T0FAKE/CGENERAL/${root.ts}`, lane: "l", at: 1, body: message?.payload },
        ]);
      },
    });
    await after.thread(root, /Restricted ·/);
    expect(mention?.payload["event"]).toMatchObject({ type: "app_mention" });
    expect(after.asked).toHaveLength(1);
  });
});

describe("HTTP mode", () => {
  it("takes signed requests, and nothing else", async () => {
    const port = await freePort();
    const rig = await createRig({
      env: { SLACK_APP_TOKEN: "", SLACK_SIGNING_SECRET: SECRET, PARLEY_SLACK_PORT: String(port) },
    });
    expect(rig.slack.standing()).toBe("on");
    expect(rig.fake.sockets.changes).toEqual([]);
    // What was missed has been read.
    await rig.fake.waitFor(1, "users.conversations");
    const root = rig.fake.as("bob").say("@parley hello", { channel: "general" });
    const body = JSON.stringify(rig.fake.deliveries[0]?.payload);
    expect(await sendSigned(port, body, "another secret")).toBe(401);
    expect(await sendSigned(port, body, SECRET, Math.floor(Date.now() / 1_000) - 600)).toBe(401);
    expect(rig.chat.unhandled("slack")).toEqual([]);
    expect(await sendSigned(port, body)).toBe(200);
    expect(await sendSigned(port, body)).toBe(200);
    await rig.thread(root, /Restricted ·/);
    expect(rig.asked).toHaveLength(1);
  });
});

describe("40.B an end", () => {
  it("leaves no timer of ten minutes behind that asks Slack again", async () => {
    const waiting = new Map<symbol, number>();
    const clock: Clock = {
      now: systemClock.now,
      after: (delay, fire) => {
        const timer = Symbol(delay);
        waiting.set(timer, delay);
        const cancel = systemClock.after(delay, () => {
          waiting.delete(timer);
          fire();
        });
        return () => {
          waiting.delete(timer);
          cancel();
        };
      },
    };
    const rig = await createRig({ clock });
    await connected(rig);
    await rig.close();
    expect([...waiting.values()]).not.toContain(10 * 60_000);
  });
});
