/**
 * What pictures cost: one above 100 megapixels is refused from its header, one of 100 is made to fit in its Restricted
 * child, whose memory is bounded (limits.ts: where it did not suffice, the picture would be refused).
 */

import { deflateSync, crc32 } from "node:zlib";
import { locateLauncher } from "../../sandbox/locate.ts";
import { createSandbox } from "../../sandbox/server.ts";
import { createPictures } from "../../src/tools/pictures/pictures.ts";
import type { Bench } from "./bench.ts";
import { atMost, measured } from "./figure.ts";
import { temporary } from "./temporary.ts";

export const picturesBench: Bench = {
  name: "pictures",
  what: "a PNG of 100 megapixels made to fit, and a larger one refused",
  run: async (scale, note) => {
    const { side, times } = scale === "tiny" ? { side: 200, times: 1 } : { side: 10_000, times: 5 };
    await using place = await temporary();
    const launcher = await locateLauncher(place.path);
    if (launcher.kind === "failed") throw new Error(launcher.reason);
    const sandbox = await createSandbox({ launcher: launcher.path });
    const pictures = createPictures(sandbox);
    note(`a picture of ${side} × ${side} is made`);
    const fits = png(side);
    const refused = png(200, 10_001);
    const once = async (bytes: Buffer, wanted: string): Promise<number> => {
      const from = performance.now();
      const decoded = await pictures.decode("c-bench", bytes);
      if (decoded.kind !== wanted) throw new Error(`it was ${decoded.kind}`);
      return performance.now() - from;
    };
    const made: number[] = [];
    const turned: number[] = [];
    for (let round = 0; round < times; round += 1) {
      made.push(await once(fits, "picture"));
      turned.push(await once(refused, "refused"));
    }
    await sandbox.close();
    return [
      measured("100 megapixels, in at most 1150 MB", "ms", made, atMost(4_000)),
      measured("more than 100 megapixels, refused", "ms", turned, atMost(10)),
    ];
  },
};

/** A gradient of that many pixels a side; `says`: the side that its header claims. */
const png = (side: number, says = side): Buffer => {
  const row = Buffer.alloc(1 + side * 3);
  for (let at = 1; at < row.length; at += 1) row[at] = (at * 7) & 0xff;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(says, 0);
  header.writeUInt32BE(says, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: side }, () => row)), { level: 1 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
};

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
};
