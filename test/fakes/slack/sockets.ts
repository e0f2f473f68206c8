/**
 * The sockets of Socket Mode (hazard S2): who is connected, frames in turn to each, greetings, pings, ends.
 *
 * S1 A socket gets envelopes only between its hello and the announcement of its end.
 * S2 Any socket may get any envelope: they take turns.
 * S3 A ticket opens one socket.
 */

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocket, WebSocketServer } from "ws";
import { z } from "zod";
import type { FakeClock } from "../shared/clock.ts";
import { createJournal } from "../shared/journal.ts";
import type { Times } from "./slack.ts";
import { app } from "./world.ts";

/** What can go wrong with a new socket, as data. */
export const connectFaultSchema = z.discriminatedUnion("kind", [
  /** The upgrade is answered with that HTTP status. */
  z.object({ kind: z.literal("refuse"), status: z.int() }),
  z.object({ kind: z.literal("noHello") }),
  z.object({ kind: z.literal("noPong") }),
  z.object({ kind: z.literal("cutAfterHello") }),
]);

export type ConnectFault = Readonly<z.infer<typeof connectFaultSchema>>;

export type DisconnectReason = "warning" | "refresh_requested" | "link_disabled" | "too_many_websockets";

export interface Socket {
  /** 1 for the first socket of this fake. */
  readonly id: number;
  /** `sent` is called when the frame has been handed to the kernel. */
  send(text: string, sent?: () => void): void;
  /** Breaks the TCP connection. */
  cut(): void;
}

/** A change in the sockets, as tests wait for it. */
export interface SocketChange {
  readonly kind: "opened" | "closed";
  readonly id: number;
}

export interface Sockets {
  /** An address for one new socket. */
  address(baseUrl: string): string;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** The socket whose turn it is; undefined when none is open. */
  next(): Socket | undefined;
  readonly open: readonly Socket[];
  readonly changes: readonly SocketChange[];
  /** The first `count` sockets that were greeted (or ended), once there have been so many. */
  waitFor(count: number, kind: SocketChange["kind"]): Promise<readonly SocketChange[]>;
  /** Announces the end of one socket or all, and ends them after the grace. */
  disconnect(reason: DisconnectReason, which?: readonly Socket[]): void;
  fault(fault: ConnectFault): void;
  close(): void;
}

/** More than these per app are turned away. */
const maxSockets = 10;

export const createSockets = (
  clock: FakeClock,
  times: Times,
  onText: (socket: Socket, text: string) => void,
): Sockets => {
  interface Live extends Socket {
    readonly ws: WebSocket;
    readonly state: { takesEnvelopes: boolean };
  }
  const server = new WebSocketServer({ noServer: true, autoPong: false });
  const changes = createJournal<SocketChange>();
  const tickets = new Set<string>();
  const all = new Set<Live>();
  const faults: ConnectFault[] = [];
  let lastId = 0;
  let lastTicket = 0;
  let turn = 0;

  const ready = (): readonly Live[] => [...all].filter(({ state }) => state.takesEnvelopes);

  const announceEnd = (live: Live, reason: DisconnectReason): void => {
    live.send(JSON.stringify({ type: "disconnect", reason, debug_info: { host: "fake" } }));
    live.state.takesEnvelopes = reason === "warning";
    clock.after(times.disconnectGraceMs, () => live.ws.close());
  };

  const keepPinging = (live: Live): void => {
    clock.after(times.pingIntervalMs, () => {
      if (live.ws.readyState === WebSocket.OPEN) {
        live.ws.ping("fake");
        keepPinging(live);
      }
    });
  };

  const greet = (live: Live): void => {
    live.state.takesEnvelopes = true;
    live.send(
      JSON.stringify({
        type: "hello",
        num_connections: ready().length,
        debug_info: { host: "fake", approximate_connection_time: 18_060 },
        connection_info: { app_id: app.id },
      }),
    );
    changes.append({ kind: "opened", id: live.id });
  };

  const accept = (ws: WebSocket, fault: ConnectFault | undefined): void => {
    const live: Live = {
      id: (lastId += 1),
      ws,
      state: { takesEnvelopes: false },
      send: (text, sent) => ws.send(text, () => sent?.()),
      cut: () => ws.terminate(),
    };
    all.add(live);
    ws.on("message", (data, isBinary) => onText(live, isBinary ? "" : textOf(data)));
    ws.on("ping", (data) => {
      if (fault?.kind !== "noPong" && ws.readyState === WebSocket.OPEN) {
        ws.pong(data);
      }
    });
    // A broken connection is a close for the fake; ws reports it as an error first.
    ws.on("error", () => ws.terminate());
    ws.on("close", () => {
      live.state.takesEnvelopes = false;
      all.delete(live);
      changes.append({ kind: "closed", id: live.id });
    });
    if (fault?.kind === "noHello") {
      return;
    }
    greet(live);
    keepPinging(live);
    if (all.size > maxSockets) {
      announceEnd(live, "too_many_websockets");
    }
    if (fault?.kind === "cutAfterHello") {
      live.cut();
    }
  };

  return {
    address: (baseUrl) => {
      const ticket = `ticket${(lastTicket += 1)}`;
      tickets.add(ticket);
      return `${baseUrl.replace("http", "ws")}/link/?ticket=${ticket}&app_id=${app.id}`;
    },
    upgrade: (request, socket, head) => {
      const ticket = new URL(request.url ?? "/", "http://fake").searchParams.get("ticket") ?? "";
      const isKnown = tickets.delete(ticket);
      const fault = faults.shift();
      if (!isKnown || fault?.kind === "refuse") {
        socket.end(
          `HTTP/1.1 ${fault?.kind === "refuse" ? fault.status : 401} Refused\r\nconnection: close\r\n\r\n`,
        );
        return;
      }
      server.handleUpgrade(request, socket, head, (ws) => accept(ws, fault));
    },
    next: () => {
      const open = ready();
      turn += 1;
      return open[turn % Math.max(1, open.length)];
    },
    get open() {
      return ready();
    },
    changes: changes.entries,
    waitFor: (count, kind) => changes.waitFor(count, (change) => change.kind === kind),
    disconnect: (reason, which) => {
      for (const live of all) {
        if (which === undefined || which.some(({ id }) => id === live.id)) {
          announceEnd(live, reason);
        }
      }
    },
    fault: (fault) => {
      faults.push(fault);
    },
    close: () => {
      changes.close();
      for (const { ws } of all) {
        ws.terminate();
      }
    },
  };
};

const textOf = (data: Buffer | ArrayBuffer | readonly Buffer[]): string => {
  if (data instanceof ArrayBuffer) {
    return Buffer.from(data).toString("utf8");
  }
  return Buffer.isBuffer(data) ? data.toString("utf8") : Buffer.concat(data).toString("utf8");
};
