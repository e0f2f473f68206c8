/** The connection against Discord on the wire, with the real client: each trap of hazards G1 to G3 by name. */

import { describe, expect, it } from "vitest";
import { type Scene, scene } from "../scene.ts";

const isFresh = ({ type }: { readonly type: string }): boolean => type === "READY";
/** Longer than a connection may be silent. */
const SILENCE = 80_000;
const identified = ({ kind }: { readonly kind: string }): boolean => kind === "identified";

describe("a connection", () => {
  it("is on with its first session, says that it is fresh, and passes on what happens", async () => {
    const { fake, connection, heard, listen } = await scene();
    await connection.start();
    expect(connection.standing()).toBe("on");
    fake.as("alice").say("general", "hello");
    fake.as("alice").whisper("psst");
    expect(await listen(2)).toEqual(["hello", "psst"]);
    expect(heard.entries.filter(isFresh)).toHaveLength(1);
    expect(fake.violations).toEqual([]);
  });

  it("is over as many shards as Discord asks for", async () => {
    const guilds = Array.from({ length: 6 }, (_, at) => ({
      name: `g${at}`,
      channels: [{ name: `c${at}` }],
      members: [{ name: "alice" }],
    }));
    const { fake, connection, listen } = await scene({ guilds, shards: 3, maxConcurrency: 3 });
    await connection.start();
    expect(connection.standing()).toBe("on");
    for (const at of guilds.keys()) fake.as("alice").say(`c${at}`, `in ${at}`);
    expect(new Set(await listen(6)).size).toBe(6);
  });

  it("ends at once, whatever it was doing", async () => {
    const { fake, connection } = await scene();
    await connection.start();
    fake.gateway.fault(...Array.from({ length: 50 }, () => ({ kind: "drop" }) as const));
    fake.gateway.open[0]?.cut();
    await fake.gateway.waitFor(1, "closed");
    await connection.close();
    expect(connection.standing()).toBe("off");
  });
});

/** Another connection was lost and came back twice: one that ought to come back has done so by now. */
const meanwhile = async (): Promise<void> => {
  const { fake, connection } = await scene();
  await connection.start();
  for (const times of [1, 2]) {
    fake.gateway.open[0]?.cut();
    await fake.gateway.waitFor(times, "resumed");
  }
};

/** The second connection is open, and its client knows: another one has begun a whole session meanwhile. */
const isOpen = async ({ fake }: Scene): Promise<void> => {
  await fake.gateway.waitFor(2, "opened");
  const { connection } = await scene();
  await connection.start();
};

const openings = ({ fake }: Scene): number =>
  fake.gateway.changes.filter(({ kind }) => kind === "opened").length;

describe("40.B a connection that was given up", () => {
  it.each([
    ["between two tries", "cutAfterHello"],
    ["before Hello", "noHello"],
    ["after Hello", "mute"],
  ] as const)("does not connect again if it is closed %s", async (_, kind) => {
    const one = await scene();
    await one.connection.start();
    one.fake.gateway.fault({ kind });
    one.fake.gateway.open[0]?.cut();
    await one.fake.gateway.waitFor(2, "opened");
    await one.connection.close();
    const before = openings(one);
    await meanwhile();
    expect(openings(one)).toBe(before);
  });

  it("leaves its session to the one that was made anew", async () => {
    const one = await scene();
    const { gateway } = one.fake;
    await one.connection.start();
    gateway.fault({ kind: "noHello" });
    gateway.open[0]?.cut();
    await isOpen(one);
    one.pass(SILENCE);
    await gateway.waitFor(1, "resumed");
    // The stand-in sees the end of the given-up connection a moment later.
    await expect.poll(() => gateway.open.length).toBe(1);
    const before = openings(one);
    await meanwhile();
    expect(openings(one)).toBe(before);
    expect(gateway.open).toHaveLength(1);
  });
});

describe("a session", () => {
  it("is resumed after any number of refused reconnections, and nothing is missed", async () => {
    const { fake, connection, heard, listen } = await scene();
    await connection.start();
    fake.gateway.fault({ kind: "drop" }, { kind: "drop" }, { kind: "refuse", status: 503 }, { kind: "drop" });
    fake.gateway.open[0]?.cut();
    await fake.gateway.waitFor(1, "closed");
    fake.as("alice").say("general", "while away");
    await fake.gateway.waitFor(1, "resumed");
    expect(await listen(1)).toEqual(["while away"]);
    await expect.poll(() => connection.standing()).toBe("on");
    expect(fake.gateway.changes.filter(identified)).toHaveLength(1);
    expect(heard.entries.filter(isFresh)).toHaveLength(1);
  });

  it.each(["cut", "reconnect", "zombie"] as const)("is resumed after %s", async (how) => {
    const { fake, connection, listen } = await scene({
      times: how === "zombie" ? { heartbeatIntervalMs: 1_000 } : {},
    });
    if (how === "zombie") fake.gateway.fault({ kind: "noAck" });
    await connection.start();
    if (how !== "zombie") fake.gateway.open[0]?.[how]();
    await fake.gateway.waitFor(1, "closed");
    fake.as("alice").say("general", "while away");
    expect(await listen(1)).toEqual(["while away"]);
    expect(fake.gateway.changes.filter(identified)).toHaveLength(1);
  });

  it("that the gateway questions and would take back is resumed", async () => {
    const { fake, connection, listen } = await scene();
    await connection.start();
    fake.gateway.open[0]?.invalidate(true);
    await fake.gateway.waitFor(1, "resumed");
    fake.as("alice").say("general", "still here");
    expect(await listen(1)).toEqual(["still here"]);
    expect(fake.gateway.changes.filter(identified)).toHaveLength(1);
  });

  it("that the gateway does not want is begun anew, and said to be fresh", async () => {
    const { fake, connection, heard } = await scene();
    await connection.start();
    fake.gateway.open[0]?.invalidate(false);
    await heard.waitFor(2, isFresh);
    await expect.poll(() => connection.standing()).toBe("on");
    expect(fake.gateway.changes.filter(identified)).toHaveLength(2);
  });

  it("that was kept through a refusal and is over meanwhile costs one op 9", async () => {
    const { fake, connection, heard } = await scene();
    await connection.start();
    fake.gateway.fault({ kind: "drop" });
    fake.gateway.forgetSessions();
    fake.gateway.open[0]?.cut();
    await heard.waitFor(2, isFresh);
    expect(fake.gateway.changes.some(({ kind }) => kind === "resumed")).toBe(false);
  });
});

describe("40.B a loss in the middle of the handshake", () => {
  const lost = [
    ["before Hello", { kind: "drop" }],
    ["instead of Hello", { kind: "refuse", status: 502 }],
    ["after Hello, before Identify or Resume", { kind: "cutAfterHello" }],
    ["when Identify or Resume arrives", { kind: "cutOnBegin" }],
    ["right after the session began", { kind: "cutAfterBegin" }],
  ] as const;

  it.each(lost)("of the first session, %s: what is said from then on is heard", async (_, fault) => {
    const { fake, connection, listen } = await scene();
    fake.gateway.fault(fault, fault, fault);
    await connection.start();
    await expect.poll(() => connection.standing()).toBe("on");
    fake.as("alice").say("general", "hello");
    expect(await listen(1)).toEqual(["hello"]);
    expect(fake.violations).toEqual([]);
  });

  it.each(lost)(
    "of a session that is resumed, %s: all that was written meanwhile is heard once",
    async (_, fault) => {
      const { fake, connection, words, listen } = await scene();
      await connection.start();
      fake.gateway.fault(fault, fault, fault);
      fake.gateway.open[0]?.cut();
      await fake.gateway.waitFor(1, "closed");
      fake.as("alice").say("general", "while away");
      await expect.poll(() => words()).toContain("while away");
      await expect.poll(() => connection.standing()).toBe("on");
      fake.as("alice").say("general", "and back");
      await expect.poll(() => words()).toContain("and back");
      expect(await listen(2)).toEqual(["while away", "and back"]);
      expect(fake.violations).toEqual([]);
    },
  );

  it("in the pause between two tries loses nothing", async () => {
    const { fake, connection, listen } = await scene();
    await connection.start();
    fake.gateway.fault({ kind: "drop" }, { kind: "drop" });
    fake.gateway.open[0]?.cut();
    await fake.gateway.waitFor(1, "closed");
    for (const no of [1, 2, 3]) fake.as("alice").say("general", `message ${no}`);
    expect(await listen(3)).toEqual(["message 1", "message 2", "message 3"]);
  });
});

describe("40.B a connection from which nothing comes", () => {
  it.each(["noHello", "mute"] as const)("is made anew, and its session is resumed (%s)", async (kind) => {
    const one = await scene();
    const { fake, connection, listen, logged, pass } = one;
    await connection.start();
    fake.gateway.fault({ kind });
    fake.gateway.open[0]?.cut();
    await fake.gateway.waitFor(1, "closed");
    fake.as("alice").say("general", "while deaf");
    await isOpen(one);
    pass(SILENCE);
    expect(await listen(1)).toEqual(["while deaf"]);
    await expect.poll(() => connection.standing()).toBe("on");
    expect(fake.gateway.changes.filter(identified)).toHaveLength(1);
    expect(logged.some(({ message }) => message.includes("silent connection replaced"))).toBe(true);
    expect(fake.violations).toEqual([]);
  });

  it("that is quiet and answers heartbeats is left alone", async () => {
    const { fake, connection, logged, pass } = await scene();
    await connection.start();
    for (const beats of [2, 4, 6, 8]) {
      // A beat is sent once the one before it is acknowledged.
      await fake.gateway.waitFor(beats, "beat");
      pass(SILENCE / 2);
    }
    expect(connection.standing()).toBe("on");
    expect(fake.gateway.changes.filter(({ kind }) => kind === "opened")).toHaveLength(1);
    expect(logged.some(({ message }) => message.includes("silent connection replaced"))).toBe(false);
  });
});

describe("40.B a token that is refused for a while", () => {
  it("is tried again every five minutes, and everything goes on once it is taken", async () => {
    const recovered: number[] = [];
    const { fake, connection, listen } = await scene({}, {}, () => recovered.push(1));
    await connection.start();
    fake.revoke();
    await expect(connection.calls.call("GET", "/users/@me")).rejects.toMatchObject({ status: 401 });
    await expect.poll(() => connection.standing()).toMatch(/^off: .* Parley retries every five minutes/);
    fake.as("alice").say("general", "while refused");
    const tries = (): number => fake.calls.filter(({ route }) => route === "GET /users/@me").length;
    const before = tries();
    await expect.poll(tries).toBeGreaterThan(before);
    expect(connection.standing()).toMatch(/^off: /);
    fake.restore();
    await expect.poll(() => connection.standing()).toBe("on");
    expect(recovered).toHaveLength(1);
    fake.as("alice").say("general", "and back");
    await expect.poll(async () => (await listen(1)).length).toBeGreaterThan(0);
    fake.violations.splice(0);
  });
});

describe("what cannot work is named, with the remedy, and nothing else is harmed", () => {
  it("a wrong token", async () => {
    const { connection } = await scene({}, { token: "MTAw.wrong.token" });
    await connection.start();
    expect(connection.standing()).toMatch(/^off: Discord refuses the bot's token: .*DISCORD_TOKEN/);
  });

  it("something that is no token: nothing is sent", async () => {
    const { fake, connection } = await scene({}, { token: "a-client-secret" });
    await connection.start();
    expect(connection.standing()).toMatch(/^off: Discord refuses the bot's token/);
    expect(fake.calls).toEqual([]);
  });

  it("an intent that is not granted, by its name", async () => {
    const { fake, connection } = await scene({ privileged: [] });
    await connection.start();
    expect(connection.standing()).toMatch(/^off: The application is not granted Message Content Intent\./);
    expect(connection.standing()).toContain(`${fake.world.app.id}/bot`);
    fake.violations.splice(0);
  });

  it("a token that is taken away while it is connected: 4004", async () => {
    const { fake, connection } = await scene();
    await connection.start();
    fake.revoke();
    fake.gateway.open[0]?.cut();
    await expect.poll(() => connection.standing()).toMatch(/^off: Discord refuses the bot's token/);
  });

  it("a token that is taken away, as the REST API tells first", async () => {
    const { fake, connection } = await scene();
    await connection.start();
    fake.revoke();
    await expect(connection.calls.call("GET", "/users/@me")).rejects.toMatchObject({ status: 401 });
    await expect.poll(() => connection.standing()).toMatch(/^off: /);
  });

  it("an intent that is taken away while it is connected: 4014", async () => {
    const { fake, connection } = await scene();
    await connection.start();
    fake.gateway.open[0]?.close(4_014);
    await expect.poll(() => connection.standing()).toMatch(/^off: The application is not granted/);
  });
});

describe("what passes is lived through", () => {
  it("one 401 does not take the token away", async () => {
    const { fake, connection } = await scene();
    await connection.start();
    fake.fault({ kind: "status", status: 401 }, { match: { route: "GET /users/@me" } });
    await expect(connection.calls.call("GET", "/users/@me")).rejects.toMatchObject({ status: 401 });
    expect(await connection.calls.call("GET", "/users/@me")).toMatchObject({ username: "parley" });
    await fake.waitFor(3, "GET /users/@me");
    expect(connection.standing()).toBe("on");
  });

  it("a server error at the start: it is tried again", async () => {
    const { fake, connection, logged } = await scene();
    fake.fault({ kind: "status", status: 503 }, { times: 2, match: { route: "GET /gateway/bot" } });
    await connection.start();
    expect(connection.standing()).toBe("on");
    expect(logged.filter(({ message }) => message.includes("retry scheduled"))).toHaveLength(2);
    expect(fake.calls.filter(({ route }) => route === "GET /gateway/bot")).toHaveLength(3);
  });

  it("a gateway that refuses at the start", async () => {
    const { fake, connection } = await scene();
    fake.gateway.fault({ kind: "drop" }, { kind: "drop" });
    await connection.start();
    expect(connection.standing()).toBe("on");
  });

  it("an event that nobody can read", async () => {
    const { fake, connection, listen } = await scene();
    await connection.start();
    const broken = { id: "1", type: 3, token: "t", data: null, user: null, entitlements: null };
    fake.dispatch({ type: "INTERACTION_CREATE", guild: null, intent: 0, data: () => broken });
    fake.as("alice").say("general", "still here");
    expect(await listen(1)).toEqual(["still here"]);
  });

  it("a server error answers a call at once: what may have been applied is not sent again", async () => {
    const { fake, connection } = await scene();
    await connection.start();
    const route = `/channels/${fake.world.channelNamed("general").id}/messages` as const;
    const name = "POST /channels/{channel}/messages";
    fake.fault({ kind: "status", status: 500 }, { times: 5, match: { route: name } });
    await expect(connection.calls.call("POST", route, { body: { content: "a" } })).rejects.toMatchObject({
      status: 500,
    });
    expect(fake.calls.filter((call) => call.route === name)).toHaveLength(1);
  });

  it("an exhausted bucket answers at once, with the time to wait, so that no text grows stale in a queue", async () => {
    const { fake, connection } = await scene({
      rates: { "POST /channels/{channel}/messages": { size: 1, perMs: 60_000 } },
    });
    await connection.start();
    const route = `/channels/${fake.world.channelNamed("general").id}/messages` as const;
    await connection.calls.call("POST", route, { body: { content: "a" } });
    const stale = connection.calls.call("POST", route, { body: { content: "b" } });
    await expect(stale).rejects.toMatchObject({ timeToReset: expect.any(Number) });
  });
});
