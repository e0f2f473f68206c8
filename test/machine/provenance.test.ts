/** What a question says the model has read of others: never less than what came in, and only from what came in. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { untrustedText, withQuoted, withReached } from "../../src/machine/provenance.ts";
import type { Untrusted } from "../../src/machine/words.ts";

const count = fc.nat(5);
const quoted = fc.record({ messages: count, previews: count, files: count, pictures: count });
const host = fc.constantFrom("a.example", "b.example", "c.example");

const code = (text: string): string => `<${text}>`;

describe("untrusted sources", () => {
  it("add up over the conversation, each host once, and what was blocked is none", () => {
    fc.assert(
      fc.property(fc.array(quoted), fc.array(host), fc.array(host), (all, reached, blocked) => {
        const state = all.reduce<{ untrusted?: Untrusted }>(withQuoted, {});
        const calls = [
          ...reached.map((name) => ({ host: name, port: 443, allowed: true })),
          ...blocked.map((name) => ({ host: `no.${name}`, port: 443, allowed: false })),
        ];
        const { untrusted } = withReached(state, calls);
        const sum = (key: "messages" | "previews" | "files" | "pictures") =>
          all.reduce((total, one) => total + one[key], 0);
        expect(untrusted?.messages ?? 0).toBe(sum("messages"));
        expect(untrusted?.previews ?? 0).toBe(sum("previews"));
        expect(untrusted?.files ?? 0).toBe(sum("files"));
        expect(untrusted?.pictures ?? 0).toBe(sum("pictures"));
        expect(untrusted?.hosts ?? []).toEqual([...new Set(reached)]);
      }),
    );
  });

  it("are one sentence; nothing read is said too, and names are written by the surface", () => {
    expect(untrustedText(undefined, code)).toBe("Untrusted sources read so far, besides the checkout: none.");
    const read = { messages: 1, previews: 2, files: 0, pictures: 1, hosts: ["a.example"] };
    expect(untrustedText(read, code)).toBe(
      "Untrusted sources read so far, besides the checkout: 1 quoted message, 2 link previews, 1 picture, answers from <a.example>.",
    );
  });

  it("of many hosts keep the first ten", () => {
    const calls = Array.from({ length: 30 }, (_, index) => ({
      host: `h${index}`,
      port: 443,
      allowed: true,
    }));
    expect(withReached<{ untrusted?: Untrusted }>({}, calls).untrusted?.hosts).toHaveLength(10);
  });
});
