/**
 * What Slack sends to the app, at least once (hazard S2).
 *
 * V1 An event that is not acknowledged in time is sent again, in another envelope with the same `event_id`; a lost
 *    acknowledgement, a lost socket and no socket at all are the same to Slack.
 * V2 Interactions and commands are sent once; without an acknowledgement in time the person sees an error.
 * V3 An acknowledgement counts whichever of the envelopes it names, however late.
 */

import { z } from "zod";
import type { FakeClock } from "../shared/clock.ts";
import type { Gates } from "../shared/gates.ts";
import { createJournal } from "../shared/journal.ts";
import type { Schedule } from "../shared/schedule.ts";
import type { Times } from "./slack.ts";
import type { Socket, Sockets } from "./sockets.ts";
import type { Json } from "./world.ts";

/** What can go wrong with one delivery, as data. All but `drop` leave the redelivery to do its work. */
export const deliveryFaultSchema = z.discriminatedUnion("kind", [
  /** Never sent at all. */
  z.object({ kind: z.literal("drop") }),
  /** Sent twice at once. */
  z.object({ kind: z.literal("duplicate") }),
  /** Sent when the gate opens: what comes later overtakes it. */
  z.object({ kind: z.literal("hold"), gate: z.string() }),
  /** The socket breaks as soon as the envelope has left. */
  z.object({ kind: z.literal("cutBeforeAck") }),
  /** The socket breaks as soon as the acknowledgement is there. */
  z.object({ kind: z.literal("cutAfterAck") }),
  /** The first acknowledgement does not reach Slack. */
  z.object({ kind: z.literal("loseAck") }),
]);

export type DeliveryFault = Readonly<z.infer<typeof deliveryFaultSchema>>;

export type EnvelopeType = "events_api" | "interactive" | "slash_commands";

export type DeliveryEnd =
  | { readonly kind: "acknowledged"; readonly payload: Json }
  /** No acknowledgement came, and no further attempt is made. */
  | { readonly kind: "unacknowledged" };

export interface Delivery {
  readonly type: EnvelopeType;
  /** Of an event: the whole callback, with its `event_id`. */
  readonly payload: Json;
  /** The sockets it was sent on, one for each envelope; 0 where there was none. */
  readonly sockets: readonly number[];
  readonly ended: Promise<DeliveryEnd>;
}

export interface Deliveries {
  deliver(type: EnvelopeType, payload: Json): Delivery;
  /** A frame of the app. */
  receive(socket: Socket, text: string): void;
  readonly all: readonly Delivery[];
  waitFor(count: number, admits: (delivery: Delivery) => boolean): Promise<readonly Delivery[]>;
  /** Settles when everything sent so far has ended. */
  settled(): Promise<void>;
  close(): void;
}

export interface DeliveryParts {
  readonly clock: FakeClock;
  readonly times: Times;
  readonly sockets: Sockets;
  readonly gates: Gates;
  readonly faults: Schedule<Delivery, DeliveryFault>;
  readonly violate: (message: string) => void;
}

interface Sent {
  readonly delivery: Delivery;
  readonly sockets: number[];
  readonly acknowledge: (socket: Socket, payload: Json) => void;
}

export const createDeliveries = (parts: DeliveryParts): Deliveries => {
  const journal = createJournal<Delivery>();
  const envelopes = new Map<string, Sent>();

  const send = (record: Sent, attempt: number, sent?: (socket: Socket) => void): void => {
    const envelopeId = `envelope${envelopes.size + 1}`;
    envelopes.set(envelopeId, record);
    const socket = parts.sockets.next();
    record.sockets.push(socket?.id ?? 0);
    socket?.send(frameOf(envelopeId, record.delivery, attempt), () => sent?.(socket));
  };

  return {
    deliver: (type, payload) => {
      const delays = type === "events_api" ? parts.times.retryDelaysMs : [];
      const record = createRecord(type, payload, {
        clock: parts.clock,
        ackTimeoutMs: parts.times.ackTimeoutMs,
        delays,
        send,
        take: (delivery) => parts.faults.take(delivery),
        pass: parts.gates.pass,
      });
      journal.append(record.delivery);
      return record.delivery;
    },
    receive: (socket, text) => {
      const frame = ackSchema.safeParse(parsed(text));
      const record = frame.success ? envelopes.get(frame.data.envelope_id) : undefined;
      if (frame.success && record !== undefined) {
        record.acknowledge(socket, frame.data.payload ?? {});
      } else {
        parts.violate(`a frame that acknowledges nothing: ${text.slice(0, 100)}`);
      }
    },
    all: journal.entries,
    waitFor: (count, admits) => journal.waitFor(count, admits),
    settled: () => Promise.all(journal.entries.map(({ ended }) => ended)).then(() => undefined),
    close: () => journal.close(),
  };
};

interface Sending {
  readonly clock: FakeClock;
  readonly ackTimeoutMs: number;
  readonly delays: readonly number[];
  readonly send: (record: Sent, attempt: number, sent?: (socket: Socket) => void) => void;
  readonly take: (delivery: Delivery) => DeliveryFault | undefined;
  readonly pass: Gates["pass"];
}

/** One delivery with its attempts, the first of which is made at once. */
const createRecord = (type: EnvelopeType, payload: Json, sending: Sending): Sent => {
  const ended = Promise.withResolvers<DeliveryEnd>();
  const sockets: number[] = [];
  const delivery: Delivery = { type, payload, sockets, ended: ended.promise };
  const fault = sending.take(delivery);
  let isOver = false;
  let acksToLose = fault?.kind === "loseAck" ? 1 : 0;

  const end = (how: DeliveryEnd): void => {
    isOver = true;
    ended.resolve(how);
  };
  const record: Sent = {
    delivery,
    sockets,
    acknowledge: (socket, answer) => {
      if (acksToLose > 0) {
        acksToLose -= 1;
        return;
      }
      if (fault?.kind === "cutAfterAck" && !isOver) {
        socket.cut();
      }
      end({ kind: "acknowledged", payload: answer });
    },
  };
  const attempt = (number: number): void => {
    if (isOver) {
      return;
    }
    const isCut = fault?.kind === "cutBeforeAck" && number === 0;
    sending.send(record, number, isCut ? (socket) => socket.cut() : undefined);
    if (fault?.kind === "duplicate" && number === 0) {
      sending.send(record, number);
    }
    sending.clock.after(sending.ackTimeoutMs, () => {
      const delay = sending.delays[number];
      if (delay !== undefined) {
        sending.clock.after(delay, () => attempt(number + 1));
      } else if (!isOver) {
        end({ kind: "unacknowledged" });
      }
    });
  };

  if (fault?.kind === "drop") {
    end({ kind: "unacknowledged" });
  } else if (fault?.kind === "hold") {
    void sending.pass(fault).then(() => attempt(0));
  } else {
    attempt(0);
  }
  return record;
};

const frameOf = (envelopeId: string, { type, payload }: Delivery, attempt: number): string =>
  JSON.stringify({
    envelope_id: envelopeId,
    type,
    accepts_response_payload: type !== "events_api",
    payload,
    ...(type === "events_api"
      ? { retry_attempt: attempt, retry_reason: attempt === 0 ? "" : "timeout" }
      : {}),
  });

/** Bolt always sends `payload`, other clients leave it out. */
const ackSchema = z.object({
  envelope_id: z.string(),
  payload: z.record(z.string(), z.unknown()).optional(),
});

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
