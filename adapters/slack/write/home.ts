/** Builds the Home tab of one person. Pure. Cards have the same text and the same buttons as in their threads. */

import type { types } from "@slack/bolt";
import type { HomeCard, HomeRun, PersonalHome } from "../../../src/ports/chat.ts";
import type { Say } from "../../../src/i18n/say.ts";
import { attachedText } from "./announcement.ts";
import { section, unmarkedBlocksOf } from "./blocks.ts";
import { escapeMarkup, linkTo, slackPlain } from "./markup.ts";

/** Slack's limit is 100 blocks in 250 kB. The rest is for the other parts of the page. */
const MOST_BLOCKS = 70;
const MOST_BYTES = 150_000;

/** `note`: reply to the person's last click; null if there is none. `plain`: whether cards are links alone. */
export const homeView = (home: PersonalHome, note: string | null, plain = false): types.HomeView => {
  const { say, notice } = home;
  const told = note === null ? [] : [section(escapeMarkup(note)), DIVIDER];
  if (notice !== null) return { type: "home", blocks: [...told, section(escapeMarkup(notice))] };
  return { type: "home", blocks: [...told, ...waiting(home, plain), ...running(home), ...asking(home, say)] };
};

const waiting = ({ say, cards, more }: PersonalHome, plain: boolean): readonly types.KnownBlock[] => {
  const shown: types.KnownBlock[] = [];
  let left = more;
  for (const card of cards) {
    const blocks = plain ? linkOf(card, say) : cardBlocks(card, say);
    const isFull =
      shown.length + blocks.length > MOST_BLOCKS ||
      Buffer.byteLength(JSON.stringify([...shown, ...blocks])) > MOST_BYTES;
    if (isFull) left += 1;
    else shown.push(...blocks, DIVIDER);
  }
  const rest =
    left === 0
      ? []
      : [small(say("{count} more wait for you: `/parley pending` lists them.", { count: left }))];
  const none = cards.length + left === 0 ? [section(say("Nothing waits for your decision."))] : [];
  return [header(say("Waiting for your decision")), ...none, ...shown, ...rest];
};

const cardBlocks = (card: HomeCard, say: Say): readonly types.KnownBlock[] => {
  const { content, link } = card;
  const blocks = unmarkedBlocksOf(content);
  // A card that the Home tab cannot display completely is decided in its thread.
  if (!blocks.every(({ type }) => ON_HOME.has(type))) return linkOf(card, say);
  const files = content.files === undefined ? [] : [small(attachedText(link, say))];
  return [...blocks, ...files, ...(link === null ? [] : [small(linkTo(link, say("Open the thread")))])];
};

const linkOf = ({ content: { lead }, link }: HomeCard, say: Say): readonly types.KnownBlock[] => {
  const [head = ""] = (lead ?? "").split("\n");
  const open = link === null ? "" : ` ${linkTo(link, say("Open the thread"))}`;
  return [section(`${head}${open}`)];
};

/** Messages accept more kinds of blocks, such as tables. */
const ON_HOME: ReadonlySet<string> = new Set(["section", "context", "rich_text", "actions", "divider"]);

const running = ({ say, runs }: PersonalHome): readonly types.KnownBlock[] => [
  header(say("Running in your channels")),
  ...(runs.length === 0 ? [section(say("Nothing runs at the moment."))] : runs.map(runLine)),
];

const runLine = ({ title, phase, link }: HomeRun): types.SectionBlock => {
  const name = slackPlain(title);
  return section(`• ${link === null ? name : linkTo(link, name)}: ${escapeMarkup(phase)}`);
};

const asking = ({ mention }: PersonalHome, say: Say): readonly types.KnownBlock[] => [
  header(say("How to ask")),
  section(
    say(
      "Write in the Messages tab, or mention {name} in a channel. `/invite {name}` adds me to a channel, and `/parley help` lists the commands.",
      { name: mention },
    ),
  ),
];

const DIVIDER: types.DividerBlock = { type: "divider" };

const header = (text: string): types.HeaderBlock => ({ type: "header", text: { type: "plain_text", text } });

const small = (text: string): types.ContextBlock => ({
  type: "context",
  elements: [{ type: "mrkdwn", text, verbatim: true }],
});
