import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../../src/text/secrets/known-values.ts";

/** Few letters, so that secrets overlap, repeat and stand inside each other. */
const letters = fc.constantFrom("a", "b", "*", "\n");
const secret = fc.string({ unit: letters, minLength: 8, maxLength: 14 });
const secrets = fc.array(secret, { minLength: 1, maxLength: 4 });

describe("redaction of known secrets", () => {
  it("lets no secret of eight characters or more through, whatever stands around it", () => {
    fc.assert(
      fc.property(secrets, fc.array(fc.oneof(secret, fc.string({ unit: letters }))), (known, parts) => {
        const text = createRedactor(known).text([...parts, ...known].join(""));
        for (const each of known) expect(text).not.toContain(each);
      }),
      { numRuns: 1000 },
    );
  });

  it("leaves nothing to be joined where text was cut off", () => {
    fc.assert(
      fc.property(secrets, fc.string({ unit: letters }), fc.nat(), (known, around, cut) => {
        const whole = `${around}${known[0] ?? ""}${around}`;
        const at = cut % (whole.length + 1);
        const redactor = createRedactor(known);
        const head = redactor.cutAfter(whole.slice(0, at));
        const tail = redactor.cutBefore(whole.slice(at));
        for (const each of known) {
          expect(head + tail).not.toContain(each);
          for (let length = 1; length < each.length; length += 1) {
            expect(head.endsWith(each.slice(0, length)) && tail.startsWith(each.slice(length))).toBe(false);
          }
        }
      }),
      { numRuns: 1000, examples: [[["\n\nb*\n\n*\n"], "*\n\nb*\n\n", 9]] },
    );
  });

  it("changes nothing where no secret is", () => {
    const redactor = createRedactor(["sk-ant-0123456789"]);
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!text.includes("sk-ant-0123456789"));
        expect(redactor.text(text)).toBe(text);
      }),
    );
  });

  it("hides the whole of secrets that overlap", () => {
    expect(createRedactor(["abcdefgh", "efghijkl"]).text("<abcdefghijkl>")).toBe("<***>");
  });

  it("leaves values of less than eight characters, which are ordinary text", () => {
    expect(createRedactor(["letmein", ""]).text("letmein")).toBe("letmein");
    expect(createRedactor(["letmein1"]).text("letmein1")).toBe("***");
  });

  it("knows other forms of a secret", () => {
    const redactor = createRedactor(["line one\r\nline two"], {
      variants: (each) => [each.replaceAll("\r", "")],
    });
    expect(redactor.text("line one\nline two")).toBe("***");
  });
});

it("a value that is added later is removed from then on", () => {
  const secrets = ["first-secret-value"];
  const redactor = createRedactor(secrets);
  expect(redactor.text("a later-secret-value")).toBe("a later-secret-value");
  secrets.push("later-secret-value");
  expect(redactor.text("a later-secret-value, first-secret-value")).toBe("a ***, ***");
  expect(redactor.holds("later-secret-value")).toBe(true);
});
