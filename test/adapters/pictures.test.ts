/**
 * Pictures that people attach on Slack and Discord, through the real decoder. A broken or hostile one
 * is a note to the model beside those that could be taken, and the conversation goes on.
 */

import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PromptMessage } from "../../src/thread/prompt.ts";
import { animated, bomb, claiming, padded, plain } from "../tools/pictures/samples.ts";
import { lazyPictures } from "./http/pictures.ts";
import { createRig as createDiscord } from "./discord/rig.ts";
import { told } from "./rig.ts";
import { createRig as createSlack } from "./slack/rig.ts";

interface Sent {
  readonly name: string;
  readonly bytes: Buffer;
}

const real = lazyPictures();
/** Its start takes longer on a busy machine than a thread is waited for. */
beforeAll(async () => {
  const first = await real.decode("c-first", await plain(4, 4).png().toBuffer());
  expect(first.kind).toBe("picture");
});
afterAll(() => real.close());

/** What was made of the pictures, in the order of the files. */
type Made = string[];
const watched = (made: Made) => ({
  pictures: async (...request: Parameters<typeof real.decode>) => {
    const decoded = await real.decode(...request);
    if (decoded.kind === "picture") {
      const { format } = await sharp(decoded.bytes).metadata();
      made.push(`${format} ${decoded.width} × ${decoded.height}`);
    }
    return decoded;
  },
});

interface Talk {
  /** What the model was asked. */
  readonly asked: readonly (readonly PromptMessage[])[];
  /** What the host has told whoever sent the files. */
  readonly heard: () => Promise<string>;
}

type Ask = (files: readonly Sent[], made: Made) => Promise<Talk>;

/** A message with files and one without in the same thread. */
const surfaces: readonly (readonly [string, Ask])[] = [
  [
    "Slack",
    async (files, made) => {
      const rig = await createSlack(watched(made));
      const bob = rig.fake.as("bob");
      const root = bob.say("@parley look", { channel: "general", files });
      await rig.thread(root, /Answer 1[^]*tricted[^·\n]* · [[`<]/);
      bob.say("@parley and now?", { channel: "general", thread: root.ts });
      await rig.thread(root, /Answer 2/);
      expect(rig.fake.violations).toEqual([]);
      const own = () => rig.fake.world.ephemerals.filter((one) => one.for === bob.id);
      return {
        asked: rig.asked,
        heard: async () =>
          own()
            .map(({ text }) => text)
            .join("\n"),
      };
    },
  ],
  [
    "Discord",
    async (files, made) => {
      const rig = await createDiscord(watched(made));
      const bob = rig.fake.as("bob");
      const { id } = bob.say("general", "@parley look", { files });
      await rig.reads(id, /Answer 1[^]*tricted[^·\n]* · [[`<]/);
      bob.say(id, "@parley and now?");
      await rig.reads(id, /Answer 2/);
      expect(rig.fake.violations).toEqual([]);
      return {
        asked: rig.asked,
        heard: async () => `${await rig.reads(id, /^/)}${await rig.reads("general", /^/)}`,
      };
    },
  ],
];

it.for(surfaces)(
  "%s: what was sent is upright, still and small, and stays in the history",
  async ([, ask]) => {
    const made: Made = [];
    const turned = await plain(2_000, 1_000).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { asked, heard } = await ask(
      [
        { name: "photo.jpg", bytes: turned },
        { name: "moving.gif", bytes: await animated("gif") },
        // A telephone that calls a JPEG by the name of what it would rather have made.
        { name: "IMG_1.heic", bytes: await plain(40, 20).jpeg().toBuffer() },
        { name: "heavy.png", bytes: await padded(20 * 2 ** 20) },
      ],
      made,
    );
    const [first, second] = asked;
    expect(await heard()).not.toMatch(/could not be/);
    expect(made.toSorted()).toEqual(["jpeg 40 × 20", "jpeg 784 × 1568", "png 40 × 20", "png 50 × 40"]);
    expect(told(first).match(/\[image\]/g)).toHaveLength(4);
    expect(told(second).match(/\[image\]/g)).toHaveLength(4);
  },
);

it.for(surfaces)(
  "%s: a broken or hostile one is named with its fault, and spoils nothing",
  async ([, ask]) => {
    const made: Made = [];
    const whole = await plain(300, 300).png().toBuffer();
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><title>Plan</title></svg>';
    const { asked, heard } = await ask(
      [
        { name: "good.png", bytes: whole },
        { name: "cut.png", bytes: bomb(400).subarray(0, 80) },
        { name: "vast.png", bytes: await claiming(60_000, 2_000) },
        { name: "IMG_2.heic", bytes: Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1") },
        { name: "plan.svg", bytes: Buffer.from(drawing) },
        { name: "heavy.png", bytes: Buffer.alloc(20 * 2 ** 20 + 1) },
      ],
      made,
    );
    const [first, second] = asked;
    const words = told(first);
    await expect.poll(heard).toContain("heavy.png");
    for (const said of [words, await heard()]) {
      expect(said).toContain('The file "cut.png" cannot be shown as a picture: the picture is damaged.');
      expect(said).toContain(
        'The file "vast.png" cannot be shown as a picture: it has more than 100 megapixels (60000 × 2000).',
      );
      expect(said).toContain(
        'The file "IMG_2.heic" cannot be shown as a picture: it is a HEIC picture, not a PNG, JPEG, GIF or WebP picture.',
      );
      expect(said).toContain('The file "heavy.png" cannot be shown as a picture: it is larger than 20 MB.');
    }
    expect(words).toMatch(
      /author="bob"[^>]*>\n\| \/files\/\w{10}-plan\.svg \(image\/svg\+xml, 65 bytes\)\n\| <svg/,
    );
    expect(words.match(/\[image\]/g)).toHaveLength(1);
    expect(made).toEqual(["png 300 × 300"]);
    expect(told(second)).toContain("and now?");
  },
);
