/**
 * Every provider's streaming API in a process of its own: `/N/…` is answered as the Nth family writes it, a delta for
 * each token. Argument: tokens of an answer. Says where it listens.
 */

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { WIRES } from "./wires.ts";

const tokens = Number(process.argv[2]);
const text = Array.from({ length: tokens }, (_, index) => ` word${index % 10}`);
const usage = { input: 1_000, output: tokens, cached: 0 };
const answers = WIRES.map(({ format }) => format.write({ text, end: "stop", usage }));
/** As much at a time as a network hands over: some ten deltas. */
const PIECE = 2_048;

const answer = async (at: number, response: ServerResponse): Promise<void> => {
  const [wire, whole] = [WIRES[at], answers[at]];
  if (wire === undefined || whole === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { "content-type": wire.format.type });
  for (let from = 0; from < whole.length; from += PIECE) {
    response.write(whole.subarray(from, from + PIECE));
    await new Promise(setImmediate);
  }
  response.end();
};

const server = createServer((incoming, response) => {
  const at = Number(/^\/(\d+)\//.exec(incoming.url ?? "")?.[1]);
  incoming.resume().on("end", () => void answer(at, response));
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}`);
});
process.stdin.resume().on("end", () => process.exit());
