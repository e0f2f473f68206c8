import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formOf, termsIn } from "../../../src/text/questions/form.ts";
import { compare } from "../../../src/text/questions/same.ts";
import { knownAgain, projects } from "../../answers/known-again.ts";

const isSame = (old: string, asked: string, answer = ""): boolean =>
  compare(formOf(old, ["acme", "shop"]), formOf(asked, ["acme", "shop"]), () => termsIn(answer)) !== null;

describe("a question that was answered", () => {
  it.each(["tuned", "heldOut"] as const)(
    "is known again in other words, and no other one is taken for it: %s",
    (half) => {
      const { paraphrases, reused, asked, wrong } = knownAgain(projects(half));
      expect({ paraphrases, asked }).toEqual({ paraphrases: 80, asked: 160 });
      expect(reused / paraphrases).toBeGreaterThanOrEqual(0.6);
      expect(wrong / asked).toBeLessThanOrEqual(0.01);
    },
  );

  it("is the same however it is spelled", () => {
    const questions = [...projects("tuned"), ...projects("heldOut")].flatMap(({ topics }) =>
      topics.map(({ question }) => question),
    );
    fc.assert(
      fc.property(fc.constantFrom(...questions), fc.constantFrom("  ", "\n", " "), (question, blank) => {
        expect(isSame(question, `Hi, ${question.replaceAll(" ", blank)} Thanks!`)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    ["How do I set the port to 8080?", "How do I set the port to 9090?"],
    ["How do I use `find_files`?", "How do I use `live_grep`?"],
    ["How do I install the tool on Windows?", "What is the way to install this tool on Linux?"],
    ["How do I enable the cache for tokens?", "How can I disable caching of tokens?"],
    ["How do I upload pictures?", "Why can I not upload pictures?"],
    ["How do I load plugins with a restart?", "how can plugins be loaded without a restart"],
    ["How do I convert JSON to YAML?", "Is there a way to convert from YAML to JSON?"],
    ["How do I sign releases with a key?", "is there a way to sign releases with a yubikey"],
    ["How do I save sessions to the store?", "How do I read sessions from the store?"],
    ["How do I change the port?", "What is the certificate?"],
    ["How do I delete a token?", "What is shop?"],
  ])("is not another one: %s %s", (old, asked) => {
    expect(isSame(old, asked)).toBe(false);
  });

  it.each([
    ["How do I enable the cache for tokens?", "what's the way to turn the token cache on"],
    ["Why does the upload of pictures fail?", "My uploads of photos are not working, what is wrong?"],
    ["How do I convert JSON to YAML?", "converting some json into yaml"],
    ["How long are sessions kept?", "I use it at work. What is the time limit that sessions are kept for?"],
  ])("is the same in other words: %s %s", (old, asked) => {
    expect(isSame(old, asked)).toBe(true);
  });

  it("may be asked with what its answer speaks of, and not with what it does not", () => {
    const old = "How do I sign releases with a key?";
    const asked = "is there a way to sign releases with a gpg key";
    expect(isSame(old, asked, "Set `signing.key` to the name of your GPG key.")).toBe(true);
    expect(isSame(old, asked, "Set `signing.key` to the name of your key.")).toBe(false);
  });
});
