/** 40.A1: 8 MB of `1,` in a request. It is answered with one short sentence, and the gateway goes on. */

import { expect, it, onTestFinished } from "vitest";
import { openGateway, TALK } from "./rig.ts";

/** As a list, and in a field that a schema reads. */
const ONES = `${"1,".repeat(4 * 2 ** 20)}1`;
const SHORT = 600;

it("40.A1 the gateway", async () => {
  const rig = await openGateway();
  onTestFinished(() => rig.close());
  const send = (body: string) =>
    fetch(`${rig.origin}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${TALK}`, "content-type": "application/json" },
      body,
    });
  const texts: string[] = [];
  for (const body of [
    `[${ONES}]`,
    `{"model":"parley","messages":[${ONES}]}`,
    `{"model":"parley","messages":[${"1,".repeat(90_000)}1]}`,
    `{"model":"parley","messages":[{"role":"user","content":[${"1,".repeat(90_000)}1]}]}`,
  ]) {
    const answer = await send(body);
    expect(answer.status).toBe(400);
    texts.push(await answer.text());
  }
  expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(SHORT);
  rig.script.answer({ pieces: ["Here."] });
  expect(await rig.ask("Where?")).toBe("Here.");
});
