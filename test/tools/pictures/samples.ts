/** Pictures for the tests, honest and hostile ones. */
import { deflateSync, crc32 } from "node:zlib";
import sharp from "sharp";

export const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#336699" } });

/** A PNG whose header speaks of more pixels than it has. */
export const claiming = async (width: number, height: number): Promise<Buffer> => {
  const bytes = await plain(1, 1).png().toBuffer();
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
};

/** Three frames that differ. */
export const animated = async (format: "gif" | "webp"): Promise<Buffer> => {
  const frames = ["red", "lime", "blue"].map((background) =>
    sharp({ create: { width: 50, height: 40, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  return sharp(await Promise.all(frames), { join: { animated: true } })
    .toFormat(format)
    .toBuffer();
};

/** A PNG of one colour that is 1 KB for each megabyte of pixels; interlaced, so it has to be decoded whole. */
export const bomb = (side: number): Buffer => {
  const lines = adam7(side).flatMap(([width, height]) => Array.from({ length: height }, () => 1 + width * 4));
  return png(side, 8, Buffer.alloc(lines.reduce((sum, line) => sum + line, 0)));
};

/** The same with 16 bits for each colour and no pixels at all. */
export const hollow = (side: number): Buffer => png(side, 16, Buffer.alloc(0));

/** A PNG with as much beside its pixels as makes it `size` bytes. */
export const padded = async (size: number): Promise<Buffer> => {
  const bytes = await plain(40, 20).png().toBuffer();
  const end = bytes.subarray(-12);
  const parts: Buffer[] = [bytes.subarray(0, -12)];
  const most = 4 * 2 ** 20;
  for (let left = size - bytes.length; left > 12; left -= Math.min(left, most)) {
    parts.push(chunk("prIv", Buffer.alloc(Math.min(left, most) - 12)));
  }
  return Buffer.concat([...parts, end]);
};

const png = (side: number, depth: 8 | 16, pixels: Buffer): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([depth, RGBA, 0, 0, ADAM7], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
};

const RGBA = 6;
const ADAM7 = 1;

/** Width and height of the seven passes of an interlaced square. */
const adam7 = (side: number): readonly (readonly [number, number])[] =>
  PASSES.map(([x, y, dx, dy]) => [Math.ceil((side - x) / dx), Math.ceil((side - y) / dy)]);

const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

const chunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};
