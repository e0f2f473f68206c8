import { expect, it } from "vitest";
import { sayIn } from "../../src/i18n/languages.ts";
import { english } from "../../src/i18n/say.ts";
import { removeButtons, waitingText } from "../../src/thread/waiting-text.ts";

const from = (...names: readonly string[]) =>
  names.map((name, index) => ({ message: `m-${index}`, by: `slack:${name}`, name }) as const);
const plain = (text: string): string => text.replaceAll("*", String.raw`\*`);
const asIs = (text: string): string => text;

it.each([
  [[], null],
  [["bob"], "1 message waits, from @bob"],
  [["bob", "carol"], "2 messages wait, from @bob and @carol"],
  [["bob", "carol", "dave"], "3 messages wait, from @bob, @carol, and @dave"],
  [["bob", "carol", "dave", "erin", "eve"], "5 messages wait, from @bob, @carol, @dave, and 2 more"],
] as const)("D51 the status names the authors of waiting messages (%j)", (names, wanted) => {
  expect(waitingText(from(...names), { plain: asIs, say: english })).toBe(wanted);
});

it("D51 names are escaped, and the sentence has the language of the thread", () => {
  const say = sayIn("de");
  expect(waitingText(from("*bob*", "carol"), { plain, say })).toBe(
    String.raw`2 Nachrichten warten, von @\*bob\* und @carol`,
  );
});

it("a button's label has room for a long name", () => {
  const [button] = removeButtons(from("n".repeat(80)), english);
  expect(button?.label).toBe(`Remove @${"n".repeat(29)}…'s message`);
  expect(button?.value).toBe("m-0");
});
