/**
 * The gateway: sockets that say hello, identify or resume, beat, and get events (hazards G1 to G4).
 *
 * G1 A session gets every event of its shard and intents, in order, numbered without a gap; while it has no connection
 *    they are kept for its resumption.
 * G2 A resumption is answered by what was missed and then RESUMED, or by op 9.
 * G3 What Discord answers with a close code gets that code.
 */

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { GatewayCloseCodes as Close, GatewayOpcodes as Op } from "discord.js";
import { type WebSocket, WebSocketServer } from "ws";
import { z } from "zod";
import { type FakeClock, realClock } from "../shared/clock.ts";
import { createJournal } from "../shared/journal.ts";
import type { Times } from "./discord.ts";
import type { ConnectFault } from "./fault.ts";
import { packer } from "./pack.ts";
import { createSessions, type Session, type SessionRules } from "./sessions.ts";
import type { Json } from "./world.ts";

/** An event for those who asked for it. */
export interface Dispatch {
  readonly type: string;
  /** Null for what happens outside guilds: the first shard gets it. */
  readonly guild: string | null;
  /** Bit of the intent that it takes; 0 for none. */
  readonly intent: number;
  data(intents: number): Json;
}

/** A change in the connections, as tests wait for it. */
export interface GatewayChange {
  readonly kind: "opened" | "identified" | "resumed" | "beat" | "closed";
  /** 1 for the first connection of this fake. */
  readonly connection: number;
  readonly shard: number | null;
  /** Of an end. */
  readonly code?: number;
}

export interface Connection {
  readonly id: number;
  readonly shard: number | null;
  /** Breaks the TCP connection. */
  cut(): void;
  close(code: number): void;
  /** Op 7. */
  reconnect(): void;
  /** Op 9; not resumable: its session is over. */
  invalidate(resumable: boolean): void;
  /** Op 1: asks for a beat. */
  askForBeat(): void;
  /** Any frame at all, as text. */
  raw(text: string): void;
}

export interface Gateway {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  dispatch(dispatch: Dispatch): void;
  readonly open: readonly Connection[];
  readonly changes: readonly GatewayChange[];
  waitFor(count: number, kind: GatewayChange["kind"]): Promise<readonly GatewayChange[]>;
  /** The next connections go wrong so, one each. */
  fault(...faults: readonly ConnectFault[]): void;
  /** Sessions that may still be started today. */
  readonly remaining: number;
  /** Every session is over, connected or not. */
  forgetSessions(): void;
  close(): void;
}

export interface GatewayRules extends SessionRules {
  readonly times: Times;
  /** `ws://127.0.0.1:PORT` to come back to. */
  resumeUrl(): string;
  /** Data of READY besides the session, and the events that follow it. */
  ready(shard: number, shardCount: number): { readonly ready: Json; readonly then: readonly Dispatch[] };
  violate(message: string): void;
}

const VERSION = "10";
const MAX_PAYLOAD = 4_096;
const MAX_SENDS = 120;
const SEND_WINDOW = 60_000;

export const createGateway = (clock: FakeClock, rules: GatewayRules): Gateway => {
  interface Live extends Connection {
    readonly ws: WebSocket;
    session: Session | null;
    beatAt: number;
    sent: number[];
    readonly fault: ConnectFault | undefined;
    send(frame: object): void;
  }
  const server = new WebSocketServer({ noServer: true });
  const changes = createJournal<GatewayChange>();
  const sessions = createSessions(clock, rules);
  const all = new Set<Live>();
  const faults: ConnectFault[] = [];
  let lastId = 0;

  const note = (live: Live, kind: GatewayChange["kind"], code?: number): void =>
    changes.append({ kind, connection: live.id, shard: live.shard, ...(code === undefined ? {} : { code }) });

  const end = (live: Live, code: Close, why: string): void => {
    if (code !== Close.SessionTimedOut && code !== Close.AuthenticationFailed)
      rules.violate(`gateway: ${code}: ${why}`);
    live.ws.close(code, why);
  };

  const start = (live: Live, session: Session): void => {
    live.session = session;
    session.attach((frame) => live.send(frame));
  };

  const identify = (live: Live, data: unknown): void => {
    const outcome = sessions.identify(data);
    switch (outcome.kind) {
      case "closed":
        end(live, outcome.code, outcome.why);
        return;
      case "invalid":
        live.send({ op: Op.InvalidSession, d: false });
        return;
      case "session": {
        const { session } = outcome;
        start(live, session);
        const { ready, then } = rules.ready(session.shard, session.shardCount);
        session.send("READY", {
          v: 10,
          ...ready,
          session_id: session.id,
          session_type: "normal",
          resume_gateway_url: rules.resumeUrl(),
          shard: [session.shard, session.shardCount],
        });
        for (const one of then) session.take(one);
        note(live, "identified");
        return;
      }
    }
  };

  const resume = (live: Live, data: unknown): void => {
    const outcome = sessions.resume(data);
    switch (outcome.kind) {
      case "closed":
        end(live, outcome.code, outcome.why);
        return;
      case "invalid":
        live.send({ op: Op.InvalidSession, d: false });
        return;
      case "session":
        for (const other of all) {
          if (other !== live && other.session === outcome.session) other.session = null;
        }
        start(live, outcome.session);
        for (const frame of outcome.missed) live.send(frame);
        outcome.session.send("RESUMED", {});
        note(live, "resumed");
        return;
    }
  };

  const beat = (live: Live): void => {
    live.beatAt = Date.now();
    if (live.fault?.kind !== "noAck") live.send({ op: Op.HeartbeatAck, d: null });
    note(live, "beat");
  };

  const receive = (live: Live, text: string): void => {
    const now = Date.now();
    live.sent = [...live.sent.filter((at) => at > now - SEND_WINDOW), now];
    if (live.sent.length > MAX_SENDS) return end(live, Close.RateLimited, "more than 120 sends a minute");
    if (Buffer.byteLength(text) > MAX_PAYLOAD)
      return end(live, Close.DecodeError, "a payload of more than 4096 bytes");
    const frame = frameSchema.safeParse(parsed(text));
    if (!frame.success) return end(live, Close.DecodeError, "not a payload");
    const { d } = frame.data;
    const { data: op } = z.enum(Op).safeParse(frame.data.op);
    if (op === Op.Heartbeat) return beat(live);
    if (op === Op.Identify || op === Op.Resume) return begin(live, op, d);
    if (op !== Op.PresenceUpdate && op !== Op.VoiceStateUpdate && op !== Op.RequestGuildMembers) {
      return end(live, Close.UnknownOpcode, `op ${frame.data.op}`);
    }
    if (live.session === null) end(live, Close.NotAuthenticated, "not identified yet");
  };

  const begin = (live: Live, op: Op.Identify | Op.Resume, data: unknown): void => {
    if (live.session !== null) return end(live, Close.AlreadyAuthenticated, "identified twice");
    if (live.fault?.kind === "invalidSession") {
      return live.send({ op: Op.InvalidSession, d: live.fault.resumable });
    }
    if (live.fault?.kind === "cutOnBegin") return live.cut();
    if (live.fault?.kind === "mute") return;
    if (op === Op.Identify) identify(live, data);
    else resume(live, data);
    if (live.fault?.kind === "cutAfterBegin") live.cut();
  };

  const watch = (live: Live): void => {
    // Beats are the client's own, in real time, whatever clock the fake has.
    realClock.after(rules.times.heartbeatIntervalMs * 2, () => {
      if (!all.has(live)) return;
      if (Date.now() - live.beatAt >= rules.times.heartbeatIntervalMs * 2)
        end(live, Close.SessionTimedOut, "no heartbeat");
      else watch(live);
    });
  };

  const accept = (ws: WebSocket, url: URL, fault: ConnectFault | undefined): void => {
    const send = packer(ws, url.searchParams.get("compress"));
    const live: Live = {
      id: (lastId += 1),
      ws,
      session: null,
      beatAt: Date.now(),
      sent: [],
      fault,
      get shard() {
        return live.session?.shard ?? null;
      },
      send: (frame) => send(JSON.stringify(frame)),
      raw: send,
      cut: () => ws.terminate(),
      close: (code) => ws.close(code),
      reconnect: () => live.send({ op: Op.Reconnect, d: null }),
      invalidate: (resumable) => {
        if (!resumable && live.session !== null) sessions.end(live.session);
        live.session?.detach(Close.UnknownError);
        live.session = null;
        live.send({ op: Op.InvalidSession, d: resumable });
      },
      askForBeat: () => live.send({ op: Op.Heartbeat, d: null }),
    };
    all.add(live);
    ws.on("message", (data: Buffer) => receive(live, data.toString("utf8")));
    // A broken connection is a close for the fake; ws reports it as an error first.
    ws.on("error", () => ws.terminate());
    ws.on("close", (code) => {
      all.delete(live);
      live.session?.detach(code);
      note(live, "closed", code);
    });
    note(live, "opened");
    if (url.searchParams.get("v") !== VERSION)
      return end(live, Close.InvalidAPIVersion, `version ${url.searchParams.get("v")}`);
    if (fault?.kind === "noHello") return;
    live.send({ op: Op.Hello, d: { heartbeat_interval: rules.times.heartbeatIntervalMs, _trace: ["fake"] } });
    if (fault?.kind === "cutAfterHello") live.cut();
    if (fault?.kind === "close") live.close(fault.code);
    watch(live);
  };

  return {
    upgrade: (request, socket, head) => {
      const fault = faults.shift();
      if (fault?.kind === "drop") return void socket.destroy();
      if (fault?.kind === "refuse")
        return void socket.end(`HTTP/1.1 ${fault.status} Refused\r\nconnection: close\r\n\r\n`);
      const url = new URL(request.url ?? "/", "http://fake");
      server.handleUpgrade(request, socket, head, (ws) => accept(ws, url, fault));
    },
    dispatch: (dispatch) => sessions.dispatch(dispatch),
    get open() {
      return [...all];
    },
    changes: changes.entries,
    waitFor: (count, kind) => changes.waitFor(count, (change) => change.kind === kind),
    fault: (...more) => {
      faults.push(...more);
    },
    get remaining() {
      return sessions.remaining();
    },
    forgetSessions: () => sessions.forget(),
    close: () => {
      changes.close();
      for (const { ws } of all) ws.terminate();
    },
  };
};

const frameSchema = z.object({ op: z.int(), d: z.unknown().optional() });

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
