/**
 * Sends webhooks as programs do, from a thread of its own so that its clock sees the host and not this test: each signed,
 * in the order that it is given, again about a second later where nobody took it, and once more when somebody did.
 */

import { createHmac, randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

/** What the sender is told at the start. */
export interface Order {
  readonly secret: string;
  readonly matters: number;
  /** Numbers of the events, in the order in which they are sent. */
  readonly order: readonly number[];
  /** Milliseconds over which they are sent. */
  readonly within: number;
}

/** One request: its status, null where nobody answered, and how long that took. */
export interface Sent {
  readonly status: number | null;
  readonly took: number;
}

const { secret, matters, order, within }: Order = workerData;

/** Milliseconds before it is sent again, by the number of the event: senders do not come back all at once. */
const again = (no: number): number => 500 + ((no * 617) % 1_000);

const agent = new Agent({ keepAlive: true });
let origin: string | null = null;

parentPort?.on("message", (message: string | null) => {
  origin = message;
});

const tell = (sent: Sent): void => parentPort?.postMessage(sent, []);

const deliver = async (no: number, delivery: string): Promise<void> => {
  for (;;) {
    const from = performance.now();
    const status = origin === null ? null : await post(origin, no, delivery);
    tell({ status, took: performance.now() - from });
    if (status === 202) return;
    await setTimeout(again(no));
  }
};

const post = (to: string, no: number, delivery: string): Promise<number | null> => {
  const matter = no % matters;
  const body = JSON.stringify({ title: `Matter ${matter}`, fingerprint: `matter ${matter}`, no });
  const headers = {
    "content-type": "application/json",
    "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    "x-github-delivery": delivery,
  };
  return new Promise((resolve) => {
    const sending = request(`${to}/hooks/alerts`, { method: "POST", agent, headers }, (answer) => {
      answer.resume().once("close", () => resolve(answer.complete ? (answer.statusCode ?? null) : null));
    });
    sending.once("error", () => resolve(null)).end(body);
  });
};

await Promise.all(
  order.map(async (no, index) => {
    const delivery = randomUUID();
    await setTimeout((index * within) / order.length);
    await deliver(no, delivery);
    await deliver(no, delivery);
  }),
);
agent.destroy();
parentPort?.close();
