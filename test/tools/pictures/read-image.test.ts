import { randomBytes } from "node:crypto";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorld, type World } from "../world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({});
});
afterAll(() => world.close());

const picture = (width: number, height: number, background = "#336699") =>
  sharp({ create: { width, height, channels: 3, background } });
/** A PNG whose header speaks of more pixels than it has. */
const claiming = async (width: number, height: number): Promise<Buffer> => {
  const bytes = await picture(1, 1).png().toBuffer();
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
};
const read = (path: string) => world.call("read_image", { path }, { permission: world.reading });

/** The stored picture of a call that has to answer with one. */
const stored = async (path: string) => {
  const outcome = await read(path);
  expect(outcome).toMatchObject({ text: `Picture ${path}`, isError: false });
  const [image] = outcome.images;
  const bytes = image === undefined ? null : await world.blobs.get(image.hash);
  if (image === undefined || bytes === null) throw new Error(outcome.text);
  const { format, width, height } = await sharp(bytes).metadata();
  return { mediaType: image.mediaType, format, width, height, size: bytes.length };
};

describe("read_image", () => {
  it.each([
    ["png", "image/png"],
    ["jpeg", "image/jpeg"],
    ["gif", "image/png"],
    ["webp", "image/png"],
  ] as const)("stores a %s as %s, whatever its name says", async (format, mediaType) => {
    await world.write(`${format}.bin`, await picture(40, 20).toFormat(format).toBuffer());
    expect(await stored(`${format}.bin`)).toMatchObject({ mediaType, width: 40, height: 20 });
  });

  it("scales a large picture down to 1568 pixels", async () => {
    await world.write("large.png", await picture(4000, 1000).png().toBuffer());
    expect(await stored("large.png")).toMatchObject({ width: 1568, height: 392 });
  });

  it("turns a photograph the way it was taken", async () => {
    await world.write("turned.jpg", await picture(40, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer());
    expect(await stored("turned.jpg")).toMatchObject({ width: 20, height: 40 });
  });

  it("makes a JPEG of a picture that would be too large for the provider as PNG", async () => {
    const noise = sharp(randomBytes(1200 * 1200 * 3), { raw: { width: 1200, height: 1200, channels: 3 } });
    await world.write("noise.png", await noise.png({ compressionLevel: 0 }).toBuffer());
    const { mediaType, size } = await stored("noise.png");
    expect(mediaType).toBe("image/jpeg");
    expect(size).toBeLessThan(3_600_000);
  });

  it.each<[string, () => Promise<Uint8Array> | Uint8Array, string]>([
    ["text", () => Buffer.from("hello"), "Failed to read image: it is not a PNG, JPEG, GIF or WebP picture"],
    ["empty", () => Buffer.alloc(0), "Failed to read image: it is not a PNG, JPEG, GIF or WebP picture"],
    [
      "svg",
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      "Failed to read image: it is an SVG drawing, not a PNG, JPEG, GIF or WebP picture",
    ],
    [
      "cut",
      async () => (await picture(400, 400).png().toBuffer()).subarray(0, 300),
      "Failed to read image: the picture is damaged",
    ],
    [
      "bomb",
      () => claiming(60_000, 2000),
      "Failed to read image: it has more than 100 megapixels (60000 × 2000)",
    ],
    ["huge", () => Buffer.alloc(5 * 1024 * 1024 + 1), "Failed to read image: it is larger than 5 MB"],
  ])("refuses %s", async (name, bytes, text) => {
    await world.write(name, await bytes());
    expect(await read(name)).toMatchObject({ text, isError: true, images: [] });
  });

  it("does not follow a link out of the working directory", async () => {
    const outside = join(world.work, "../outside.png");
    await writeFile(outside, await picture(4, 4).png().toBuffer());
    await symlink(outside, join(world.work, "link.png"));
    expect((await read("link.png")).isError).toBe(true);
    expect((await read("../outside.png")).text).toBe(
      "Path is not a file in the working directory: ../outside.png",
    );
    await world.write("inside.png", await picture(4, 4).png().toBuffer());
    await symlink("inside.png", join(world.work, "inner.png"));
    expect(await stored("inner.png")).toMatchObject({ width: 4 });
  });

  it("says what is missing", async () => {
    expect((await read("none.png")).text).toMatch(/^Failed to read image: /);
    expect((await world.call("read_image", {})).text).toBe(
      "Invalid input: path: expected string, received undefined",
    );
  });
});
