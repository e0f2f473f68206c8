/** The cost of the way through relay and proxy: figures printed, and ratios that only a fault would exceed. */

import { createServer as createHttpServer, get } from "node:http";
import { expect, it } from "vitest";
import { listen, OPEN } from "./client.ts";
import { describeTiers, textOf } from "../tiers.ts";

const ROUNDS = 60;
const STREAM = 256 * 2 ** 20;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Milliseconds from asking to the end of the answer, on a connection of its own, straight from the host. */
const directly = async (url: string): Promise<number> => {
  const began = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  get(url, { agent: false }, (answer) => answer.resume().on("end", resolve)).on("error", reject);
  await promise;
  return performance.now() - began;
};

describeTiers(["T0"], (world) => {
  it("a connection, a stream and a start cost little more", async ({ skip }) => {
    if (world().sandbox.probe.egress !== "proxy") skip("egress shares the host's network here");
    const piece = Buffer.alloc(2 ** 20, "x");
    await using server = await listen(
      createHttpServer((request, response) => {
        if (request.url !== "/stream") return void response.end("hello");
        let left = STREAM / piece.length;
        const write = (): void => {
          while (left-- > 0) if (!response.write(piece)) return void response.once("drain", write);
          response.end();
        };
        write();
      }),
    );
    const url = `http://${OPEN}:${server.port}`;
    const policy = world().policy("unrestricted", "egress");
    const plain: number[] = [];
    for (let i = 0; i < ROUNDS; i++) plain.push(await directly(url));
    const script = `for i in {1..${ROUNDS}}; do curl -sp -o /dev/null -w '%{time_total}\n' ${url}; done`;
    const through = await world().run("unrestricted", ["/bin/bash", "-c", script], { policy });
    const times = textOf(through)
      .trim()
      .split("\n")
      .map((line) => Number(line) * 1000);
    const stream = await world().run(
      "unrestricted",
      [
        "/usr/bin/curl",
        "-sp",
        "-o",
        "/dev/null",
        "-w",
        "%{speed_download} %{size_download}",
        `${url}/stream`,
      ],
      { policy },
    );
    const [speed = Number.NaN, size] = textOf(stream).split(" ").map(Number);

    const starts: Record<"none" | "egress", number[]> = { none: [], egress: [] };
    for (let i = 0; i < ROUNDS; i++)
      for (const network of ["none", "egress"] as const) {
        const began = performance.now();
        await world().run("unrestricted", ["/bin/true"], { policy: world().policy("unrestricted", network) });
        starts[network].push(performance.now() - began);
      }
    const added = median(times) - median(plain);
    console.log(
      `a connection and its answer: direct ${median(plain).toFixed(2)} ms, through the proxy ${median(times).toFixed(2)} ms (${added.toFixed(2)} more); ` +
        `one stream ${(speed / 2 ** 20).toFixed(0)} MiB/s; a start: ${median(starts.none).toFixed(2)} ms without network, ${median(starts.egress).toFixed(2)} ms with`,
    );
    expect(times).toHaveLength(ROUNDS);
    expect(size).toBe(STREAM);
    expect(median(times) / median(plain)).toBeLessThan(200);
    expect(median(starts.egress) / median(starts.none)).toBeLessThan(20);
  });
});
