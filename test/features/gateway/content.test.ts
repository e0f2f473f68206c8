/** What goes in and out beside plain text: pictures (BED-013), and secrets, which are masked as on every surface. */

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MASK } from "../../../src/text/secrets/known-forms.ts";
import { padded, plain } from "../../tools/pictures/samples.ts";
import { TOKEN } from "../../adapters/http/rig.ts";
import { type GatewayRig, openGateway, thrown } from "./rig.ts";

let rig: GatewayRig;
beforeEach(async () => {
  rig = await openGateway();
});
afterEach(() => rig.close());

const send = (...urls: readonly string[]) =>
  rig.client().chat.completions.create(
    {
      model: "parley",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            ...urls.map((url) => ({ type: "image_url" as const, image_url: { url } })),
          ],
        },
      ],
    },
    { headers: { "X-Session-Id": "s1" } },
  );

const dataUrl = (bytes: Buffer, type = "image/png") => `data:${type};base64,${bytes.toString("base64")}`;

const shown = async () => {
  const { body } = await rig.call("GET", `/api/conversations/${rig.conversation()}`);
  return JSON.stringify(body).match(/\/api\/images\/[\w-]+/g) ?? [];
};

describe("pictures", () => {
  it("of data: URLs are taken, made to fit and shown to the model", async () => {
    rig.script.answer({ pieces: ["Two blue squares."] });
    const small = await plain(40, 20).png().toBuffer();
    const large = await plain(3_000, 1_500).jpeg().toBuffer();
    const heavy = await padded(20 * 2 ** 20);
    const answer = await send(dataUrl(small), dataUrl(large, "image/jpeg"), dataUrl(heavy));
    expect(answer.choices[0]?.message.content).toBe("Two blue squares.");
    const urls = await shown();
    expect(urls).toHaveLength(3);
    const got = await fetch(`${rig.origin}${urls[1]}`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(got.headers.get("content-type")).toBe("image/jpeg");
    const bytes = Buffer.from(await got.arrayBuffer());
    expect(bytes.equals(large)).toBe(false);
  });

  it("may come without a word", async () => {
    rig.script.answer({ pieces: ["A blue square."] });
    const url = dataUrl(await plain(4, 4).png().toBuffer());
    const answer = await rig.client().chat.completions.create({
      model: "parley",
      messages: [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }],
    });
    expect(answer.choices[0]?.message.content).toBe("A blue square.");
  });

  it.each<[string, () => Promise<readonly string[]> | readonly string[], string]>([
    [
      "an address",
      () => ["https://127.0.0.1/a.png"],
      "data: URL (data:image/png;base64,…). Addresses are not fetched",
    ],
    ["a file", () => ["file:///etc/passwd"], "Addresses are not fetched"],
    ["no base64", () => ["data:image/png,abc"], "has to be in base64"],
    ["broken base64", () => ["data:image/png;base64,a_b!"], "base64 with its padding"],
    [
      "another type",
      () => [dataUrl(Buffer.from("%PDF-1.7 x"))],
      "it is a PDF document, not a PNG, JPEG, GIF or WebP",
    ],
    [
      "a broken file",
      async () => [dataUrl((await plain(9, 9).png().toBuffer()).subarray(0, 40))],
      "the picture is damaged",
    ],
    ["more than 20 MB", () => [dataUrl(Buffer.alloc(20 * 2 ** 20 + 1))], "it is larger than 20 MB"],
    ["nine", async () => Array.from({ length: 9 }, () => "data:image/png;base64,aaaa"), "at most 8 pictures"],
  ])("%s: refused with what to do, and nothing is said", async (_, urls, why) => {
    expect(await thrown(send(...(await urls())))).toMatchObject({
      name: "BadRequestError",
      status: 400,
      code: "invalid_image",
      message: expect.stringContaining(why),
    });
    expect(rig.bot.list(1, null)[0]?.state.turn.no).toBe(0);
  });
});

describe("secrets", () => {
  const secret = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;

  it("are masked in an answer, and the host says so", async () => {
    rig.script.answer({ pieces: [`The token is ${secret}, I think.`] });
    const answer = await rig.ask("Which?");
    expect(answer).toMatch(new RegExp(`^The token is ${MASK}, I think\\.\n\n\\[.*masked.*\\]$`));
  });

  it("are masked in a stream, wherever a chunk ends", async () => {
    const text = `The token is ${secret} and goes on.`;
    for (const size of [1, 7, 20]) {
      const pieces = text.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];
      rig.script.answer({ pieces });
      const streamed = await rig.stream("Which?", `by-${size}`);
      expect(streamed).toMatch(new RegExp(`^The token is ${MASK} and goes on\\.\n\n\\[`));
      expect(streamed).not.toContain(secret.slice(0, 12));
    }
  });

  it("are masked in what an approver is shown, and in errors", async () => {
    rig.script.answer({ uses: [{ name: "request_mode_upgrade", input: { reason: `To use ${secret}` } }] });
    const asked = await thrown(rig.ask("Do it"));
    expect(asked.error.details).toMatchObject({ prompt: { why: `To use ${MASK}` } });
    rig.script.answer({ fails: `No luck with ${secret}` });
    expect((await thrown(rig.ask("Do it", "s2"))).message).toContain(`No luck with ${MASK}`);
  });

  it("what is none stays as it is", async () => {
    const text = "The commit is 8714b73c0ffee0123456789abcdef0123456789a.";
    rig.script.answer({ pieces: [text] });
    expect(await rig.ask("Which?")).toBe(text);
  });
});

it("approve-session makes a session that was not used yet, and its grants hold when it is", async () => {
  const answer = await fetch(`${rig.origin}/v1/approve-session`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "fresh", categories: ["SUDO"] }),
  });
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { session_id: "fresh", categories: ["SUDO"], approved: ["SUDO"] },
  ]);
  const id = rig.conversation();
  const upgrade = { name: "request_mode_upgrade", input: { reason: "to list" } };
  rig.script.answer({ uses: [upgrade] }, { pieces: ["May write."] });
  const question = (await thrown(rig.ask("List it", "fresh"))).error.details?.["question"];
  expect(question).toMatchObject({ conversation: id });
  const wire = (await rig.bot.read(id))?.question?.wire;
  await rig.act({ action: "decide", question: wire, choice: "approve" });
  await expect.poll(async () => (await rig.bot.read(id))?.state.phase.kind).toBe("idle");
  rig.script.answer({ uses: [{ name: "bash", input: { command: "sudo ls" } }] }, { pieces: ["Listed."] });
  expect(await rig.ask("List it", "fresh")).toBe("Listed.");
});
