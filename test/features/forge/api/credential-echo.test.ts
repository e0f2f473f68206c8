/** Nothing of a credential comes back in an answer, however the answer was cut into pieces, and nothing else is touched. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { credentialForms, withoutEcho } from "../../../../src/features/forge/api/credential-echo.ts";
import { createEraser, eraseValues } from "../../../../src/features/forge/api/eraser.ts";

const TOKEN = "ghs_canaryecho7Qw2Xk9Lp4";
const PAIR = `x-access-token:${TOKEN}`;
const BASIC = Buffer.from(PAIR).toString("base64");
const FORMS = [TOKEN, PAIR, BASIC];

const through = (chunks: readonly string[]): string => {
  const eraser = createEraser(FORMS);
  return [...chunks.map((chunk) => eraser.next(chunk)), eraser.end()].join("");
};

const fromHex = (text: string): string => Buffer.from(text.replaceAll("x", "0"), "hex").toString("latin1");
const fromBase64 = (text: string): string => Buffer.from(text, "base64").toString("latin1");

describe("what a forge was shown", () => {
  it("is known in every form in which a request shows it", () => {
    expect(credentialForms({ authorization: `Basic ${BASIC}` }).slice(0, 3)).toEqual([BASIC, PAIR, TOKEN]);
    expect(credentialForms(new Headers({ authorization: `token ${TOKEN}` }))[0]).toBe(TOKEN);
    expect(credentialForms({ "private-token": TOKEN })[0]).toBe(TOKEN);
    expect(credentialForms({ accept: "*/*", authorization: "Basic eDp5" })).toEqual([]);
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
        expect(said).toBe(eraseValues(text, FORMS));
        expect(said).toHaveLength(text.length);
        for (const form of FORMS) expect(said).not.toContain(form);
      }),
    );
  });

  it.each<[string, (text: string) => string, (text: string) => string]>([
    ["percent signs", (text) => `/login?next=${encodeURIComponent(text)}`, decodeURIComponent],
    [
      "JSON with slashes escaped",
      (text) => JSON.stringify({ text }).replaceAll("/", "\\/"),
      (text) => text.replaceAll("\\", ""),
    ],
    [
      "entities of HTML",
      (text) => text.replaceAll(":", "&#x3A;").replaceAll("=", "&#x3D;"),
      (text) => text.replaceAll("&#x3A;", ":").replaceAll("&#x3D;", "="),
    ],
    ["hexadecimal", (text) => Buffer.from(text).toString("hex"), fromHex],
    ["base64 of a message", (text) => Buffer.from(`You sent ${text}!`).toString("base64"), fromBase64],
    ["base64, one byte later", (text) => Buffer.from(`You sent: ${text}!`).toString("base64"), fromBase64],
    ["base64, two later", (text) => Buffer.from(`You sent -> ${text}`).toString("base64url"), fromBase64],
  ])("is erased where a program rewrote it, as %s, and other text stays", (_, rewrite, back) => {
    const forms = credentialForms({ authorization: `Basic ${BASIC}` });
    for (const sent of [TOKEN, PAIR, BASIC]) {
      const quiet = eraseValues(rewrite(sent), forms);
      expect(quiet).toContain("x".repeat(20));
      expect(quiet).toHaveLength(rewrite(sent).length);
      expect(back(rewrite(sent))).toContain(sent);
      for (let from = 0; from + 8 <= TOKEN.length; from += 1) {
        expect(back(quiet)).not.toContain(TOKEN.slice(from, from + 8));
        expect(back(quiet)).not.toContain(BASIC.slice(-TOKEN.length).slice(from, from + 8));
      }
    }
    const other = rewrite("ghs_anotherone8Rx3Yl0Mq5");
    expect(eraseValues(other, forms)).toBe(other);
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
