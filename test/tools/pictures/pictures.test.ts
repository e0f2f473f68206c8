import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { locateLauncher } from "../../../sandbox/locate.ts";
import { createSandbox } from "../../../sandbox/server.ts";
import type { RunResult, Sandbox } from "../../../sandbox/types.ts";
import type { Pictures } from "../../../src/ports/pictures.ts";
import { createPictures } from "../../../src/tools/pictures/pictures.ts";
import { requestFor } from "./request.ts";
import { animated, bomb, claiming, hollow, plain } from "./samples.ts";

const LAUNCHER_DIRECTORY = join(tmpdir(), "parley-test-bin");

const openSandbox = async (): Promise<Sandbox> => {
  const launcher = await locateLauncher(LAUNCHER_DIRECTORY);
  if (launcher.kind === "failed") throw new Error(launcher.reason);
  return createSandbox({ launcher: launcher.path });
};

let sandbox: Sandbox;
let pictures: Pictures;
beforeAll(async () => {
  sandbox = await openSandbox();
  pictures = createPictures(sandbox);
});
afterAll(() => sandbox.close());

/** The picture that comes of a file, as the library sees it. */
const decoded = async (bytes: Buffer) => {
  const result = await pictures.decode("c-one", bytes);
  if (result.kind !== "picture") throw new Error(`${result.kind}: ${JSON.stringify(result)}`);
  const { format, width, height } = await sharp(result.bytes).metadata();
  expect([result.mediaType, result.width, result.height]).toEqual([`image/${format}`, width, height]);
  const { dominant } = await sharp(result.bytes).stats();
  return { ...result, dominant };
};

describe("a picture", () => {
  it("is upright as its camera held it", async () => {
    const bytes = await plain(40, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await decoded(bytes)).toMatchObject({ mediaType: "image/jpeg", width: 20, height: 40 });
  });

  it("in printer's colours is shown in a screen's", async () => {
    const bytes = await plain(40, 20).toColourspace("cmyk").jpeg().toBuffer();
    const { bytes: made } = await decoded(bytes);
    expect((await sharp(made).metadata()).space).toBe("srgb");
  });

  it.each(["gif", "webp"] as const)("that moves (%s) is its first frame", async (format) => {
    const { width, height, dominant } = await decoded(await animated(format));
    expect([width, height]).toEqual([50, 40]);
    expect(dominant.r).toBeGreaterThan(200);
    expect(Math.max(dominant.g, dominant.b)).toBeLessThan(60);
  });

  it("carries nothing but pixels", async () => {
    const bytes = await plain(40, 20)
      .withExif({ IFD0: { Copyright: "A-NAME" } })
      .jpeg()
      .toBuffer();
    expect(bytes.includes("A-NAME")).toBe(true);
    expect((await decoded(bytes)).bytes.includes("A-NAME")).toBe(false);
  });

  it("of 100 megapixels, the most there may be, is made small", async () => {
    const bytes = await plain(10_000, 10_000).jpeg().toBuffer();
    expect(await decoded(bytes)).toMatchObject({ width: 1_568, height: 1_568 });
  });

  it("of 8000 × 8000 that has to be decoded whole is made small; the host holds none of it", async () => {
    const bytes = bomb(8_000);
    const before = process.memoryUsage().rss;
    const start = performance.now();
    expect(await decoded(bytes)).toMatchObject({ width: 1_568, height: 1_568 });
    const [ms, grown] = [performance.now() - start, (process.memoryUsage().rss - before) / 2 ** 20];
    console.info(`64 megapixels: ${ms.toFixed(0)} ms, the host grew by ${grown.toFixed(0)} MB`);
    expect(grown).toBeLessThan(100);
  });

  it("takes its time, which is printed", async () => {
    const bytes = await plain(800, 600).png().toBuffer();
    const times: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      const start = performance.now();
      await decoded(bytes);
      times.push(performance.now() - start);
    }
    console.info(`decoding 800 × 600: median ${times.toSorted((a, b) => a - b)[2]?.toFixed(0)} ms`);
    expect(times).toHaveLength(5);
  });
});

const cut = async (format: "png" | "jpeg" | "gif" | "webp"): Promise<Buffer> => {
  const noise = { width: 300, height: 300, channels: 3 as const, background: "#000" };
  const bytes = await sharp({
    create: { ...noise, noise: { type: "gaussian" as const, mean: 128, sigma: 40 } },
  })
    .toFormat(format)
    .toBuffer();
  return bytes.subarray(0, bytes.length / 2);
};

describe("a hostile file is refused in one clear sentence", () => {
  it.each<[string, () => Promise<Buffer> | Buffer, string]>([
    ["a cut PNG", () => cut("png"), "the picture is damaged"],
    ["a cut JPEG", () => cut("jpeg"), "the picture is damaged"],
    ["a cut WebP", () => cut("webp"), "the picture is damaged"],
    [
      "a PNG's header before nothing",
      async () => (await plain(9, 9).png().toBuffer()).subarray(0, 40),
      "the picture is damaged",
    ],
    [
      "a JPEG's start before a PNG",
      async () => Buffer.concat([Buffer.from("ffd8ff", "hex"), await plain(9, 9).png().toBuffer()]),
      "the picture is damaged",
    ],
    [
      "a GIF's start before an SVG",
      () => Buffer.from(`GIF89a\x09\0\x09\0\0\0\0${SVG}`, "latin1"),
      "the picture is damaged",
    ],
    [
      "more than 100 megapixels in the header",
      () => claiming(10_000, 10_001),
      "it has more than 100 megapixels (10000 × 10001)",
    ],
    ["no pixels behind a large header", () => hollow(700), "the picture is damaged"],
    [
      "an SVG with an external entity",
      () => Buffer.from(SVG),
      "it is an SVG drawing, not a PNG, JPEG, GIF or WebP picture",
    ],
    [
      "a TIFF",
      () => plain(9, 9).tiff().toBuffer(),
      "it is a TIFF picture, not a PNG, JPEG, GIF or WebP picture",
    ],
    [
      "an AVIF",
      () => plain(64, 64).avif().toBuffer(),
      "it is an AVIF picture, not a PNG, JPEG, GIF or WebP picture",
    ],
    [
      "a HEIC",
      () => Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1"),
      "it is a HEIC picture, not a PNG, JPEG, GIF or WebP picture",
    ],
    ["a script", () => Buffer.from("#!/bin/sh\n"), "it is not a PNG, JPEG, GIF or WebP picture"],
    ["nothing", () => Buffer.alloc(0), "it is not a PNG, JPEG, GIF or WebP picture"],
    ["21 MB", () => Buffer.alloc(21 * 2 ** 20), "it is larger than 20 MB"],
  ])("%s", async (_, bytes, message) => {
    expect(await pictures.decode("c-one", await bytes())).toEqual({ kind: "refused", message });
  });

  const SVG =
    '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg">&x;</svg>';

  it("and its header alone costs no process", async () => {
    const none: Pick<Sandbox, "run" | "probe"> = {
      probe: sandbox.probe,
      run: () => Promise.reject(new Error("a process was started")),
    };
    const outcome = await createPictures(none).decode("c-one", await claiming(10_000, 10_001));
    expect(outcome.kind).toBe("refused");
  });
});

const output = (head: Buffer, total = head.length) => ({ head, tail: Buffer.alloc(0), total, durationMs: 1 });

describe("the decoder", () => {
  it("runs as nobody whom a conversation runs as, with 300 MB of memory, 60 s and no network", async () => {
    const { policy, timeoutMs, argv, env } = await requestFor(
      sandbox.probe,
      await plain(4, 4).png().toBuffer(),
    );
    expect(policy).toMatchObject({ network: "none", identity: expect.any(Number) });
    expect(policy.identity).toBeGreaterThanOrEqual(9_998);
    expect(policy.mounts.filter(({ write }) => write)).toEqual([]);
    expect(timeoutMs).toBe(60_000);
    expect(argv.join(" ")).toContain("ulimit -d 307200");
    expect(Object.keys(env).toSorted()).toEqual([
      "LC_ALL",
      "MALLOC_ARENA_MAX",
      "UV_THREADPOOL_SIZE",
      "VIPS_CONCURRENCY",
    ]);
  });

  it("has memory for the pixels that are claimed: at most 1150 MB, and of such only one at a time", async () => {
    const running: { readonly limit: string; readonly end: () => void }[] = [];
    const many = createPictures({
      probe: sandbox.probe,
      run: ({ argv }) =>
        new Promise((resolve) => {
          const limit = /ulimit -d \d+/.exec(argv.join(" "))?.[0] ?? "";
          running.push({
            limit,
            end: () => resolve({ kind: "exited", code: 3, ...output(Buffer.alloc(0)) }),
          });
        }),
    });
    const large = await claiming(10_000, 10_000);
    const first = many.decode("c-one", large);
    const second = many.decode("c-two", large);
    const small = many.decode("c-three", await plain(4, 4).png().toBuffer());
    await expect.poll(() => running.length).toBe(2);
    expect(running.map(({ limit }) => limit)).toEqual(["ulimit -d 1177600", "ulimit -d 307200"]);
    running[1]?.end();
    await small;
    expect(running).toHaveLength(2);
    running[0]?.end();
    await first;
    await expect.poll(() => running.length).toBe(3);
    running[2]?.end();
    expect((await second).kind).toBe("refused");
  });

  it("that has not enough memory, or time, says how much there was", async () => {
    const answers: readonly (readonly [RunResult, string])[] = [
      [
        { kind: "exited", code: 4, ...output(Buffer.alloc(0)) },
        "it cannot be decoded within 300 MB of memory",
      ],
      [{ kind: "timedOut", ...output(Buffer.alloc(0)) }, "it cannot be decoded within 60 seconds"],
    ];
    for (const [result, message] of answers) {
      const short = createPictures({ probe: sandbox.probe, run: () => Promise.resolve(result) });
      const picture = await plain(4, 4).png().toBuffer();
      expect(await short.decode("c-one", picture)).toEqual({ kind: "refused", message });
    }
  });

  it("ends with the call that was stopped, waiting or at work", async () => {
    const ended = new AbortController();
    const bytes = bomb(4_500);
    const [working, waiting] = [1, 2].map(() => pictures.decode("c-one", bytes, ended.signal));
    ended.abort();
    expect([await working, await waiting]).toEqual([{ kind: "aborted" }, { kind: "aborted" }]);
    expect((await pictures.decode("c-one", await plain(4, 4).png().toBuffer())).kind).toBe("picture");
  });

  it("that was taken over is believed nothing but a picture", async () => {
    const honest = await plain(4, 4).png().toBuffer();
    const answers: readonly (readonly [RunResult, string])[] = [
      [{ kind: "exited", code: 0, ...output(honest) }, "picture"],
      [{ kind: "exited", code: 0, ...output(Buffer.from("<svg onload=alert(1)>")) }, "failed"],
      [{ kind: "exited", code: 0, ...output(honest, honest.length + 5_000_000) }, "failed"],
      [{ kind: "exited", code: 0, ...output(await claiming(9_000, 9_000)) }, "failed"],
      [{ kind: "exited", code: 1, ...output(Buffer.alloc(0)) }, "failed"],
      [{ kind: "exited", code: 126, ...output(Buffer.alloc(0)) }, "failed"],
      [{ kind: "signalled", signal: 6, ...output(Buffer.alloc(0)) }, "refused"],
      [{ kind: "timedOut", ...output(Buffer.alloc(0)) }, "refused"],
      [{ kind: "failed", reason: "no server" }, "failed"],
    ];
    for (const [result, kind] of answers) {
      const said = createPictures({ probe: sandbox.probe, run: () => Promise.resolve(result) });
      expect((await said.decode("c-one", honest)).kind).toBe(kind);
    }
  });

  it("is the only part of Parley that loads the library", () => {
    const loaders = ["src", "adapters", "sandbox", "bin"].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .map((name) => join(folder, name))
        .filter(
          (name) =>
            /\.(ts|js|mjs)$/.test(name) && /(from|import\()\s*["']sharp/.test(readFileSync(name, "utf8")),
        ),
    );
    expect(loaders).toEqual(["src/tools/pictures/child/decode.mjs"]);
  });
});
