/** The Home tab stays within Slack's limits, and shows names as names. */

import { expect, it } from "vitest";
import { homeView } from "../../../../adapters/slack/write/home.ts";
import type { PersonalHome } from "../../../../src/ports/chat.ts";
import type { Content } from "../../../../src/ports/surface.ts";
import { sayIn } from "../../../../src/i18n/languages.ts";

const say = sayIn("en");
const card = (text: string, more: Partial<Content> = {}) => ({
  content: {
    tone: "question",
    lead: "*Run this command?*",
    text,
    below: [{ kind: "host", text: "Requested by `slack:UBOB`." }],
    buttons: [{ action: "once", label: "Once", value: "w1" }],
    ...more,
  } satisfies Content,
  link: "https://acme.slack.com/archives/C1/p1",
});
const page = (more: Partial<PersonalHome> = {}): PersonalHome => ({
  say,
  mention: "@parley",
  notice: null,
  cards: [],
  runs: [],
  more: 0,
  ...more,
});
const shown = (home: PersonalHome, note: string | null = null): string =>
  JSON.stringify(homeView(home, note));

it("ten long cards fit; the others are counted", () => {
  const long = ["```", ..."echo '\\u0001' \"quoted\"|".repeat(500).split("|"), "```"].join("\n");
  const view = homeView(page({ cards: Array.from({ length: 10 }, () => card(long)), more: 3 }), null);
  expect(view.blocks.length).toBeLessThanOrEqual(100);
  const bytes = Buffer.byteLength(JSON.stringify(view));
  expect(bytes).toBeLessThan(250_000);
  expect(JSON.stringify(view)).toMatch(/\d+ more wait for you/);
});

it("a card with a table, which no Home tab shows, becomes a link without buttons; others keep theirs", () => {
  const table = "| a | b |\n| - | - |\n| 1 | 2 |\n";
  const text = shown(page({ cards: [card(table)] }));
  expect(text).toContain("Run this command?");
  expect(text).toContain("Open the thread");
  expect(text).not.toMatch(/parley_once|"table"/);
  expect(shown(page({ cards: [card("> why")] }))).toContain("parley_once");
});

it("an attached file is named with its place", () => {
  const files = [
    { name: "command.txt", mediaType: "text/plain", source: { kind: "text", text: "x" } },
  ] as const;
  expect(shown(page({ cards: [card("", { files })] }))).toContain(
    "The attached file is in <https://acme.slack.com/",
  );
  expect(shown(page({ cards: [card("")] }))).not.toContain("attached file");
});

it("titles and replies contain no markup of Slack", () => {
  const runs = [
    {
      title: "<!channel> *a|b* <https://evil.example|here>",
      phase: "Thinking.",
      link: "https://acme.slack.com/archives/C1/p1",
    },
  ];
  const text = shown(page({ runs }), "<!here> no");
  expect(text).not.toMatch(/<!|<https:\/\/evil/);
  expect(text).toContain("&lt;!here&gt; no");
});

it("a refusal shows nothing else", () => {
  const text = shown(page({ notice: "Guests cannot start work here.", cards: [card("secret")] }));
  expect(text).toContain("Guests cannot");
  expect(text).not.toMatch(/secret|How to ask/);
});
