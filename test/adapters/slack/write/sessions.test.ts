/** WS14 The session of a thread: what Slack shows of a turn, whatever order its calls end in. */

import { describe, expect, it, vi } from "vitest";
import { hintTo } from "../../../../adapters/slack/write/hint.ts";
import {
  createAgentSessions,
  type SessionStatus,
  sessionStatusOf,
} from "../../../../adapters/slack/write/sessions.ts";
import { createStreamGate } from "../../../../adapters/slack/write/stream-gate.ts";
import { createSlackSurface } from "../../../../adapters/slack/write/surface.ts";
import { silentLog } from "../../../../src/store/base/silent-log.ts";
import type { Call, FailureKind } from "../../../../src/machine/vocabulary.ts";
import type { ConversationId } from "../../../../src/machine/id.ts";
import { initial, type Phase, type State } from "../../../../src/machine/state.ts";
import type { ConversationChange, Overview } from "../../../../src/ports/bot.ts";
import type { Conversation } from "../../../../src/ports/conversation.ts";
import type { Thread, ThreadRow } from "../../../../src/ports/surface.ts";
import type { FakeSlackOptions } from "../../../fakes/slack/fake.ts";
import { harness } from "../../../fakes/slack/harness.ts";
import { conversationOf } from "../../../store/plain.ts";
import { OFTEN } from "../../rig.ts";

const EAGER = { interval: 1 };
const SET = "agents.sessions.setStatus";
const SEEN_WITH_A_LATE_LINE = ["processing", "active", "processing", "active"];
const RENAME = "agents.sessions.rename";

const call: Call = { id: "t1", name: "request_mode_upgrade", intent: "upgrade" };
const working = { call, rest: [], notes: [], effect: "e1", message: "m-1" } as const;
const phases = {
  idle: { kind: "idle" },
  thinking: { kind: "thinking", request: "e1", attempt: 1, wait: null, parts: 0 },
  running: { kind: "running", ...working },
  awaitingAgents: { kind: "awaitingAgents", ...working, agents: [], wait: null, hurried: false },
  summarizing: { kind: "summarizing", request: "e1", attempt: 1, wait: null, rejected: [], by: null },
  awaitingApproval: {
    kind: "awaitingApproval",
    call,
    rest: [],
    notes: [],
    question: { id: "q-1", askedAt: 1, message: "m-1", kind: "upgrade" },
  },
  stopping: {
    kind: "stopping",
    ...working,
    wait: { for: "e2", delay: 2_000 },
    by: "slack:UBOB",
    then: null,
  },
  exhausted: { kind: "exhausted", summary: null, next: null },
} as const satisfies Readonly<Record<string, Phase>>;

const overviewOf = (
  id: ConversationId,
  phase: keyof typeof phases,
  changes: Partial<Conversation> = {},
  turn: Partial<State["turn"]> = {},
): Overview => {
  const state = initial({
    id,
    confinement: "enforced",
    mode: "general",
    safeMode: false,
    model: "m",
    window: 1_000,
  });
  return {
    conversation: conversationOf(id, {
      surface: "slack",
      title: "Why is it red?",
      createdBy: "slack:UBOB",
      ...changes,
    }),
    state: { ...state, turn: { ...state.turn, no: 1, ...turn }, phase: phases[phase] },
  };
};

const failed = (kind: FailureKind): Overview => {
  const overview = overviewOf("c-0", "idle");
  const failure = { kind, message: "It failed.", retryAfter: null };
  return { ...overview, state: { ...overview.state, phase: { kind: "failed", failure } } };
};

const changeTo = (overview: Overview): ConversationChange => ({
  kind: "state",
  overview,
  status: null,
  question: null,
});

/** Sessions on a fake Slack with one thread of bob for each of `count` conversations. */
const desk = async ({ count = 1, ...options }: FakeSlackOptions & { readonly count?: number } = {}) => {
  const { fake, client, clock } = await harness({ rates: "off", ...options });
  const timers = vi.spyOn(clock, "after");
  const rows = Array.from({ length: count }, (_, no): ThreadRow => {
    const { channel: place, ts: root } = fake.as("bob").say(`@parley ${no}`, { channel: "general" });
    return { conversation: `c-${no}`, surface: "slack", place, root, delivered: 0 };
  });
  const logged: string[] = [];
  const note = (line: string): void => void logged.push(line);
  let behind: readonly ThreadRow[] = [];
  const stored = new Map<ConversationId, Overview>();
  const sessions = createAgentSessions({
    client,
    clock,
    log: { info: note, warn: note, error: note },
    ledger: {
      thread: (id) => rows.find(({ conversation }) => conversation === id) ?? null,
      find: (_, place, root) => rows.find((row) => row.place === place && row.root === root) ?? null,
      behind: () => behind,
    },
    store: {
      load: (id) => {
        const overview = stored.get(id);
        return overview === undefined ? null : { ...overview, turn: [] };
      },
    },
  });
  const threadOf = (no: number): Thread => {
    const row = rows[no];
    if (row === undefined) throw new Error(`no thread ${no}`);
    return row;
  };
  const session = (no = 0) => fake.session(threadOf(no).place, threadOf(no).root);
  return {
    fake,
    client,
    clock,
    sessions,
    rows,
    logged,
    threadOf,
    session,
    heard: (phase: keyof typeof phases, changes: Partial<Conversation> = {}, no = 0): void => {
      const id = threadOf(no).conversation;
      sessions.heard(id, changeTo(overviewOf(id, phase, changes)));
    },
    leftBehind: (phase: keyof typeof phases): void => {
      behind = rows;
      for (const { conversation } of rows) stored.set(conversation, overviewOf(conversation, phase));
    },
    made: (method: string) => fake.calls.filter((call) => call.method === method),
    shows: (status: SessionStatus, no = 0): Promise<void> =>
      vi.waitFor(() => expect(session(no)?.status).toBe(status), OFTEN),
    /** Slack shows the first status before the host has read the response, which begins the timer of the renewal. */
    isRead: (): Promise<void> =>
      vi.waitFor(
        () => expect(timers.mock.calls.filter(([delay]) => delay >= 30 * 60_000)).not.toEqual([]),
        OFTEN,
      ),
  };
};

describe("what a state is as a session", () => {
  it.each([
    ["idle", "active"],
    ["thinking", "processing"],
    ["running", "processing"],
    ["awaitingAgents", "processing"],
    ["summarizing", "processing"],
    ["awaitingApproval", "suspended"],
    ["stopping", "active"],
    ["exhausted", "active"],
  ] as const)("%s: %s", (phase, status) => {
    expect(sessionStatusOf(overviewOf("c-0", phase))).toBe(status);
    expect(sessionStatusOf(overviewOf("c-0", phase, { archived: true }))).toBe("closed");
  });

  it("a turn that waits for a person to confirm its cost is suspended; another failure is over", () => {
    expect(sessionStatusOf(failed("costly"))).toBe("suspended");
    expect(sessionStatusOf(failed("auth"))).toBe("active");
  });
});

describe("a turn", () => {
  it("is a session of its requester with the conversation's title; equal states are not sent again", async () => {
    const { sessions, heard, shows, session, made, fake } = await desk();
    sessions.start();
    heard("thinking");
    heard("running");
    await shows("processing");
    heard("thinking");
    heard("awaitingApproval");
    await shows("suspended");
    heard("running");
    await shows("processing");
    heard("idle");
    await shows("active");
    heard("idle", { archived: true });
    await shows("closed");
    expect(session()).toMatchObject({ title: "Why is it red?", initiator: "UBOB" });
    expect(made(SET).map(({ args }) => args["status"])).toEqual([
      "processing",
      "suspended",
      "processing",
      "active",
      "closed",
    ]);
    expect(made(RENAME)).toEqual([]);
    await sessions.close();
    expect(fake.violations).toEqual([]);
  });

  it("before its first message is none, and neither is a conversation of another platform", async () => {
    const { sessions, made, rows, threadOf } = await desk();
    sessions.start();
    const id = threadOf(0).conversation;
    sessions.heard(id, changeTo(overviewOf(id, "idle", {}, { no: 0 })));
    sessions.heard("c-other", changeTo(overviewOf("c-other", "thinking")));
    rows.push({ conversation: "c-9", surface: "discord", place: "1", root: "2", delivered: 0 });
    sessions.heard("c-9", changeTo(overviewOf("c-9", "thinking")));
    await sessions.close();
    expect(made(SET)).toEqual([]);
  });

  it("of which Slack is slow: only the newest status follows, whatever came between", async () => {
    const { fake, sessions, heard, shows, made } = await desk();
    const gate = fake.gate();
    fake.fault({ kind: "wait", gate: gate.gate }, { match: { method: SET } });
    sessions.start();
    heard("thinking");
    await gate.reached;
    heard("awaitingApproval");
    heard("running");
    heard("idle");
    expect(made(SET)).toHaveLength(1);
    gate.open();
    await shows("active");
    await sessions.close();
    expect(made(SET).map(({ args }) => args["status"])).toEqual(["processing", "active"]);
  });

  it("a removed conversation closes the session, and so does nothing in the thread of a later one", async () => {
    const { sessions, heard, shows, rows, threadOf, made } = await desk();
    sessions.start();
    heard("thinking");
    await shows("processing");
    const { conversation: id, ...row } = threadOf(0);
    rows.splice(0, 1);
    sessions.heard(id, { kind: "gone" });
    await vi.waitFor(() => expect(made(SET)).toHaveLength(2), OFTEN);
    expect(made(SET)[1]?.args["status"]).toBe("closed");
    rows.push({ ...row, conversation: "c-later", delivered: 0 });
    sessions.heard(id, changeTo(overviewOf(id, "thinking")));
    await sessions.close();
    expect(made(SET)).toHaveLength(2);
  });
});

/** A thread whose answer began a moment after its question, and a second one. */
const quickly = async () => {
  const scene = await desk({ count: 2 });
  const { sessions, heard, shows, isRead, threadOf, fake } = scene;
  const streams = (no: number): void => {
    fake.setSession(threadOf(no).place, threadOf(no).root, "processing");
    sessions.view.changed(threadOf(no), "processing");
    sessions.view.streams(threadOf(no), true);
  };
  const stops = (no: number): void => {
    fake.setSession(threadOf(no).place, threadOf(no).root, "active");
    sessions.view.streams(threadOf(no), false);
    sessions.view.changed(threadOf(no), "active");
  };
  sessions.start();
  heard("thinking");
  await shows("processing");
  await isRead();
  streams(0);
  heard("idle");
  stops(0);
  return { ...scene, streams, stops };
};

describe("where answers begin at once", () => {
  it("the stream is the status: no call is made", async () => {
    const { sessions, heard, made, streams, stops, clock } = await quickly();
    const before = made(SET).length;
    heard("thinking", {}, 1);
    streams(1);
    clock.advance(10_000);
    heard("idle", {}, 1);
    stops(1);
    await sessions.close();
    expect(made(SET)).toHaveLength(before);
    expect(made(RENAME)).toEqual([]);
  });

  it("words that do not come in time bring the status with its title", async () => {
    const { heard, shows, session, clock, made } = await quickly();
    const before = made(SET).length;
    heard("thinking", {}, 1);
    heard("running", {}, 1);
    expect(made(SET)).toHaveLength(before);
    clock.advance(600);
    await shows("processing", 1);
    expect(session(1)?.title).toBe("Why is it red?");
  });

  it("a card shows at once that it waits for a person, and a session that a stream made gets its title then", async () => {
    const { heard, shows, session, streams } = await quickly();
    heard("thinking", {}, 1);
    streams(1);
    heard("awaitingApproval", {}, 1);
    await shows("suspended", 1);
    await vi.waitFor(() => expect(session(1)?.title).toBe("Why is it red?"), OFTEN);
  });
});

describe("its title", () => {
  it("keeps a colon, which Slack does not write into a new session, and a name given later", async () => {
    const { sessions, heard, shows, session, made } = await desk();
    sessions.start();
    heard("thinking", { title: "api:  why\nis it red?" });
    await vi.waitFor(() => expect(session()?.title).toBe("api: why is it red?"), OFTEN);
    heard("thinking", { title: "Red build" });
    await vi.waitFor(() => expect(session()?.title).toBe("Red build"), OFTEN);
    heard("idle", { title: "Red build" });
    await shows("active");
    await sessions.close();
    expect(made(RENAME)).toHaveLength(2);
  });

  it("is what a person made of it in Slack, if the process learns of the thread later", async () => {
    const { fake, sessions, threadOf, shows, session, made } = await desk();
    const id = threadOf(0).conversation;
    fake.renameSession(threadOf(0).place, threadOf(0).root, "Our name");
    sessions.start();
    sessions.heard(id, changeTo(overviewOf(id, "thinking", {}, { no: 2 })));
    await shows("processing");
    await sessions.close();
    expect(session()?.title).toBe("Our name");
    expect(made(RENAME)).toEqual([]);
  });

  it("of 300 characters is cut, and a requester who is no member is left out", async () => {
    const { fake, sessions, heard, shows, session } = await desk();
    sessions.start();
    heard("thinking", { title: "😀".repeat(300), createdBy: "slack:UGONE" });
    await shows("processing");
    expect(session()).toMatchObject({ title: "😀".repeat(100), initiator: undefined });
    await sessions.close();
    expect(fake.violations).toEqual([]);
  });
});

describe("what streams and the status line do to a session", () => {
  it("a late one is corrected, at rest and during a call", async () => {
    const { fake, sessions, heard, shows, threadOf } = await desk();
    sessions.start();
    heard("thinking");
    await shows("processing");
    heard("idle");
    await shows("active");
    // The status line arrives after the end of the turn.
    const bridge = (status: SessionStatus): void => {
      fake.setSession(threadOf(0).place, threadOf(0).root, status);
      sessions.view.changed(threadOf(0), status);
    };
    bridge("processing");
    await shows("active");
    heard("awaitingApproval");
    await shows("suspended");
    bridge("active");
    await shows("suspended");
    const gate = fake.gate();
    fake.fault({ kind: "wait", gate: gate.gate, when: "after" }, { match: { method: SET } });
    heard("idle");
    await gate.reached;
    bridge("processing");
    gate.open();
    await shows("active");
    await sessions.close();
  });

  it("a status line that Slack takes after the turn's end leaves no session at work, and a later one is not sent", async () => {
    const { fake, client, sessions, heard, shows, threadOf, session, made } = await desk();
    const hint = hintTo(client, sessions.view);
    sessions.start();
    heard("thinking");
    await shows("processing");
    const gate = fake.gate();
    fake.fault({ kind: "wait", gate: gate.gate }, { match: { method: "assistant.threads.setStatus" } });
    const late = hint(threadOf(0), "is thinking");
    await gate.reached;
    heard("idle");
    await shows("active");
    gate.open();
    await late;
    await vi.waitFor(
      () => expect(session()?.history.map(({ status }) => status)).toEqual(SEEN_WITH_A_LATE_LINE),
      OFTEN,
    );
    expect(await hint(threadOf(0), "is running bash")).toMatchObject({ kind: "done" });
    expect(made("assistant.threads.setStatus")).toHaveLength(1);
    // The line is removed all the same, and a card that waits stays a card that waits.
    heard("awaitingApproval");
    await shows("suspended");
    await hint(threadOf(0), null);
    await shows("suspended");
    await sessions.close();
    expect(session()?.status).toBe("suspended");
    expect(fake.violations).toEqual([]);
  });

  it("a turn whose stream is not stopped in time sets its status itself", async () => {
    const { clock, sessions, heard, shows, threadOf, isRead } = await desk();
    sessions.start();
    heard("thinking");
    await shows("processing");
    await isRead();
    sessions.view.streams(threadOf(0), true);
    heard("idle");
    clock.advance(4_999);
    await shows("processing");
    clock.advance(1);
    await shows("active");
    await sessions.close();
  });

  it.each([
    ["awaitingApproval", "suspended"],
    ["running", "processing"],
    ["idle", "active"],
  ] as const)("a stream that ends while the turn is %s names that status", async (phase, status) => {
    const { fake, client, clock, sessions, heard, shows, threadOf, session, made } = await desk();
    const self = { team: "T0FAKE", enterprise: null, user: "UBOT", bot: "BBOT", name: "parley" };
    const gate = createStreamGate({ places: "all", self: () => self, clock, log: silentLog });
    const surface = createSlackSurface(client, { native: { gate, clock, sessions: sessions.view } });
    sessions.start();
    heard("thinking");
    await shows("processing");
    const thread = threadOf(0);
    const content = {
      tone: "answer",
      text: "It is in the configuration.",
      buttons: [],
      reply: { to: null, person: "slack:UBOB", calls: false },
    } as const;
    const message = { thread, wire: "w1", hash: "h1" };
    const begun = await surface.apply({ ...message, kind: "send", content, isOpen: true });
    expect(begun).toMatchObject({ kind: "done" });
    const id = begun.kind === "done" ? begun.id : "";
    heard(phase);
    // At the end of a turn, the stop sets the status.
    if (phase !== "idle") await shows(status);
    const ended = await surface.apply({
      ...message,
      kind: "finish",
      id,
      content: { ...content, isFull: true },
    });
    expect(ended).toMatchObject({ kind: "done" });
    expect(made("chat.stopStream").map(({ args }) => args["session_status"])).toEqual([status]);
    await shows(status);
    expect(made("agents.sessions.setStatus")).toHaveLength(phase === "awaitingApproval" ? 2 : 1);
    await sessions.close();
    expect(session()?.status).toBe(status);
    expect(fake.violations).toEqual([]);
  });

  it("they learn what the session is now; nothing of a thread that has none", async () => {
    const { sessions, heard, threadOf } = await desk();
    expect(sessions.view.statusOf(threadOf(0))).toBeNull();
    heard("awaitingApproval");
    expect(sessions.view.statusOf(threadOf(0))).toBe("suspended");
    await sessions.close();
  });
});

describe("Slack's own Stop", () => {
  it("is active before anything else is known, and stays so when the turn has ended", async () => {
    const { sessions, heard, shows, threadOf, session } = await desk();
    sessions.start();
    heard("thinking");
    await shows("processing");
    const release = sessions.stop(threadOf(0).place, threadOf(0).root);
    expect(sessions.view.statusOf(threadOf(0))).toBe("active");
    await shows("active");
    heard("stopping");
    heard("idle");
    release();
    await sessions.close();
    expect(session()?.status).toBe("active");
  });

  it("of a person who may not stop it: the turn is shown again", async () => {
    const { sessions, heard, shows, threadOf } = await desk();
    sessions.start();
    heard("thinking");
    await shows("processing");
    const release = sessions.stop(threadOf(0).place, threadOf(0).root);
    await shows("active");
    release();
    await shows("processing");
    await sessions.close();
  });

  it("overtakes a call that Slack does not answer, and is last in the end", async () => {
    const { fake, sessions, heard, threadOf, session } = await desk();
    sessions.start();
    const gate = fake.gate();
    fake.fault({ kind: "wait", gate: gate.gate }, { match: { method: SET } });
    heard("thinking");
    await gate.reached;
    const release = sessions.stop(threadOf(0).place, threadOf(0).root);
    await vi.waitFor(() => expect(session()?.status).toBe("active"), OFTEN);
    heard("idle");
    release();
    gate.open();
    await vi.waitFor(
      () =>
        expect(session()?.history.map(({ status }) => status)).toEqual(["active", "processing", "active"]),
      OFTEN,
    );
    await sessions.close();
  });

  it("in a thread that this process does not know ends the session too", async () => {
    const { fake, sessions, rows, threadOf } = await desk();
    const { place, root } = threadOf(0);
    fake.setSession(place, root, "processing");
    sessions.start();
    rows.length = 0;
    sessions.stop(place, root)();
    await vi.waitFor(() => expect(fake.session(place, root)?.status).toBe("active"), OFTEN);
  });
});

describe("an app without sessions", () => {
  it.each(["assistant", "plain"] as const)("(%s) is asked once", async (appKind) => {
    const { sessions, heard, logged, made, threadOf } = await desk({ appKind, count: 2 });
    sessions.start();
    heard("thinking");
    await vi.waitFor(() => expect(logged).toHaveLength(1), OFTEN);
    expect(logged[0]).toContain("agent sessions refused");
    heard("idle");
    heard("thinking", {}, 1);
    sessions.stop(threadOf(1).place, threadOf(1).root)();
    expect(sessions.view.statusOf(threadOf(0))).toBeNull();
    await sessions.close();
    expect(made(SET)).toHaveLength(1);
  });

  it("not_authorized of one thread, where others had sessions, concerns that thread alone", async () => {
    const { fake, sessions, heard, shows, logged } = await desk({ count: 2 });
    sessions.start();
    heard("thinking");
    await shows("processing");
    fake.fault({ kind: "error", error: "not_authorized" }, { match: { method: SET } });
    heard("thinking", {}, 1);
    await vi.waitFor(() => expect(logged).toHaveLength(1), OFTEN);
    heard("idle");
    await shows("active");
    heard("idle", {}, 1);
    await shows("active", 1);
    await sessions.close();
  });

  it("without the event of Stop says so once", async () => {
    const { sessions, heard, shows, logged } = await desk({ events: ["app_mention"], count: 2 });
    sessions.start();
    for (const no of [0, 1]) {
      heard("thinking", {}, no);
      await shows("processing", no);
      heard("idle", {}, no);
      await shows("active", no);
    }
    await sessions.close();
    expect(logged).toEqual([expect.stringContaining("no Stop button")]);
  });
});

describe("time", () => {
  it("S7 a hundred threads at once stay within Slack's limit, and each has its newest status in the end", async () => {
    const { fake, clock, sessions, heard, session, made, rows } = await desk({ count: 100, rates: {} });
    sessions.start();
    for (const no of rows.keys()) heard("thinking", {}, no);
    for (const no of rows.keys()) if (no > 0) heard("idle", {}, no);
    await vi.waitFor(async () => {
      await Promise.all(made(SET).map(({ exchange }) => exchange.ended));
      clock.advance(500);
      expect(rows.map((_, no) => session(no)?.status)).toEqual(
        rows.map((_, no) => (no === 0 ? "processing" : "active")),
      );
    }, EAGER);
    const ends = await Promise.all(fake.calls.map(({ exchange }) => exchange.ended));
    expect(ends.filter(({ status }) => status === 429)).toEqual([]);
    await sessions.close();
  });

  it("a long turn is renewed before Slack ends it", async () => {
    const { clock, sessions, heard, shows, session, made, isRead } = await desk();
    sessions.start();
    heard("thinking");
    await shows("processing");
    await isRead();
    clock.advance(50 * 60_000);
    await vi.waitFor(() => expect(made(SET)).toHaveLength(2), OFTEN);
    await vi.waitFor(() => expect(session()?.history).toHaveLength(2), OFTEN);
    clock.advance(40 * 60_000);
    expect(session()?.status).toBe("processing");
    heard("idle");
    await shows("active");
    clock.advance(100 * 60_000);
    await sessions.close();
    expect(session()?.status).toBe("active");
  });

  it("a limit and an outage are waited for, and the newest status follows", async () => {
    const { fake, clock, sessions, heard, shows, made } = await desk();
    sessions.start();
    fake.fault({ kind: "status", status: 429, retryAfter: "30" }, { match: { method: SET } });
    heard("thinking");
    await vi.waitFor(() => expect(made(SET)).toHaveLength(1), OFTEN);
    await vi.waitFor(() => {
      clock.advance(10_000);
      expect(made(SET)).toHaveLength(2);
    }, OFTEN);
    await shows("processing");
    fake.fault({ kind: "status", status: 503 }, { match: { method: SET } });
    heard("idle");
    await vi.waitFor(() => {
      clock.advance(1_000);
      expect(made(SET)).toHaveLength(4);
    }, OFTEN);
    await shows("active");
    await sessions.close();
  });
});

describe("a process", () => {
  it("that begins: what was heard before it knows Slack follows, and so do threads that its predecessor left", async () => {
    const { fake, sessions, heard, leftBehind, made, session, rows, shows } = await desk({ count: 2 });
    for (const { place, root } of rows) fake.setSession(place, root, "processing");
    heard("awaitingApproval", {}, 1);
    leftBehind("idle");
    expect(made(SET)).toEqual([]);
    sessions.start();
    await shows("active", 0);
    await shows("suspended", 1);
    await sessions.close();
    expect(session(1)?.status).toBe("suspended");
  });

  it("that ends sends the last statuses first", async () => {
    const { fake, sessions, heard, session } = await desk();
    const gate = fake.gate();
    fake.fault({ kind: "wait", gate: gate.gate }, { match: { method: SET } });
    sessions.start();
    heard("thinking");
    await gate.reached;
    heard("idle");
    const closed = sessions.close();
    gate.open();
    await closed;
    expect(session()?.status).toBe("active");
    heard("thinking");
    expect(sessions.view.statusOf({ conversation: "c-0", surface: "slack", place: "", root: "" })).toBe(
      "active",
    );
  });
});
