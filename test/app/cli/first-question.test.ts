import { expect, it } from "vitest";
import { firstQuestion } from "../../../src/app/cli/shared/first-question.ts";

const url = "http://127.0.0.1:8787/?token=abc";

it.each([
  [[], url, "/srv/app", "Open the link and ask: "],
  [["Slack"], url, "/srv/app", "Open the link, or mention the bot in a channel of Slack, and ask: "],
  [["Slack", "Discord"], null, "/srv/app", "Mention the bot in a channel of Slack or Discord and ask: "],
  [[], url, null, "Open the link, name a repository, and ask: "],
  [["Discord"], null, null, "Mention the bot in a channel of Discord, name a repository there, and ask: "],
  [[], null, "/srv/app", "Start Parley, open the printed link, and ask: "],
] as const)(
  "with %j, the link %j and the repository %j the sentence begins with the places that answer",
  (surfaces, link, repo, begin) => {
    expect(firstQuestion({ surfaces, url: link, repo })).toBe(`${begin}What does this repository do?`);
  },
);
