/** The socket to the town: requests with their answers, and what the town tells. Connects again until it is closed. */

import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import * as z from "zod";
import type { Clock } from "../../../src/ports/host.ts";

export interface Wire {
  /** Null: no answer came, and nobody knows whether it was done. */
  ask(request: object): Promise<unknown>;
  isOpen(): boolean;
  close(): void;
}

const AGAIN = 20;

const answered = z.looseObject({ to: z.int() });

export const createWire = (
  port: number,
  clock: Pick<Clock, "after">,
  {
    hears,
    changed,
  }: { readonly hears: (event: unknown) => void; readonly changed: (isOpen: boolean) => void },
): Wire => {
  const waiting = new Map<number, (answer: unknown) => void>();
  let socket: Socket | null = null;
  let no = 0;
  let isClosed = false;

  const begin = (): void => {
    if (isClosed) return;
    const next = connect(port, "127.0.0.1", () => {
      socket = next;
      changed(true);
    });
    next.on("error", () => undefined);
    next.on("close", () => {
      if (socket === next) changed(false);
      socket = null;
      for (const settle of waiting.values()) settle(null);
      waiting.clear();
      clock.after(AGAIN, begin);
    });
    createInterface(next)
      .on("line", (line) => {
        const event: unknown = JSON.parse(line);
        const answer = answered.safeParse(event).data;
        if (answer === undefined) return hears(event);
        waiting.get(answer.to)?.(answer);
        waiting.delete(answer.to);
      })
      .on("error", () => undefined);
  };
  begin();

  return {
    ask: (request) =>
      new Promise((resolve) => {
        if (socket === null) return resolve(null);
        no += 1;
        waiting.set(no, resolve);
        socket.write(`${JSON.stringify({ ...request, no })}\n`);
      }),
    isOpen: () => socket !== null,
    close: () => {
      isClosed = true;
      socket?.destroy();
    },
  };
};
