/** Nothing of a credential comes back in an answer, however the answer was cut into pieces, and nothing else is touched. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEraser, erased, shownIn, withoutEcho } from "../../src/forge/echo.ts";

const TOKEN = "ghs_canaryecho7Qw2Xk9Lp4";
const PAIR = `x-access-token:${TOKEN}`;
const BASIC = Buffer.from(PAIR).toString("base64");
const FORMS = [TOKEN, PAIR, BASIC];

const through = (chunks: readonly string[]): string => {
  const eraser = createEraser(FORMS);
  const parts = chunks.map((chunk) => eraser.next(Buffer.from(chunk, "latin1")).toString("latin1"));
  return [...parts, eraser.end().toString("latin1")].join("");
};

describe("what a forge was shown", () => {
  it("is known in every form in which a request shows it", () => {
    expect(shownIn({ authorization: `Basic ${BASIC}` })).toEqual([BASIC, PAIR, TOKEN]);
    expect(shownIn(new Headers({ authorization: `token ${TOKEN}` }))).toEqual([TOKEN]);
    expect(shownIn({ "private-token": TOKEN })).toEqual([TOKEN]);
    expect(shownIn({ accept: "*/*", authorization: "Basic eDp5" })).toEqual([]);
  });

  it("is erased from a stream wherever it is cut, and every other byte and length stays", () => {
    const part = fc.oneof(
      fc.constantFrom(...FORMS),
      fc.constantFrom(...FORMS).map((form) => form.slice(0, 9)),
      fc.string({ maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(part), fc.array(fc.nat(400)), (parts, cuts) => {
        const text = Buffer.from(parts.join("")).toString("latin1");
        const at = [0, ...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length];
        const said = through(at.slice(1).map((end, index) => text.slice(at[index], end)));
        expect(said).toBe(erased(text, FORMS));
        expect(said).toHaveLength(text.length);
        for (const form of FORMS) expect(said).not.toContain(form);
      }),
    );
  });

  it("comes back from no answer of a fetch: not in its headers, its address or its words", async () => {
    const answer = new Response(`{"message":"bad ${TOKEN}, sent as ${BASIC}"}`, {
      status: 422,
      headers: { "x-accepted-oauth-scopes": `repo ${TOKEN}`, "content-type": "application/json" },
    });
    Object.defineProperty(answer, "url", { value: `https://forge.example/?t=${TOKEN}` });
    const fetch = withoutEcho(() => Promise.resolve(answer));
    const got = await fetch("https://forge.example", { headers: { authorization: `Basic ${BASIC}` } });
    expect(got.status).toBe(422);
    expect(got.headers.get("content-type")).toBe("application/json");
    const said = JSON.stringify([got.url, [...got.headers], await got.json()]);
    expect(said).toContain("bad xxx");
    for (const form of FORMS) expect(said).not.toContain(form);
  });

  it("leaves an answer without a body, and a request without a credential, as they are", async () => {
    const none = withoutEcho(() => Promise.resolve(new Response(null, { status: 204 })));
    const empty = await none("https://forge.example", { headers: { authorization: `token ${TOKEN}` } });
    expect([empty.status, empty.body]).toEqual([204, null]);
    const plain = new Response(TOKEN);
    expect(await withoutEcho(() => Promise.resolve(plain))("https://forge.example")).toBe(plain);
  });
});
