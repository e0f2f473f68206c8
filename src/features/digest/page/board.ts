/** Console page of a digest: figures, charts with their numbers in a table, and people's texts. */

import type { CalledChannel } from "../../../ports/channels.ts";
import type { DigestBody } from "../digest-body.ts";
import { requestHost } from "../../../../adapters/page/api.ts";
import { addStyles, createBoard } from "../../../../adapters/page/board.ts";
import { each, type Child, h, toast } from "../../../../adapters/page/dom.ts";
import { saveFile } from "../../../../adapters/page/key.ts";
import { dollarText, number, surfaceName } from "../../../../adapters/page/format.ts";
import { say } from "../../../../adapters/page/words.ts";
import { chart } from "../../../../adapters/page/chart.ts";

const WEEK = 7 * 86_400_000;

/** Selected week and channel; null: this week, all channels. */
interface Wanted {
  readonly week: string | null;
  readonly channel: string | null;
}

addStyles(new URL("./board.css", import.meta.url));

export const board = (): HTMLElement => {
  let wanted: Wanted = { week: null, channel: null };
  const want = (more: Partial<Wanted>) => () => {
    wanted = { ...wanted, ...more };
    void show();
  };
  const channels: HTMLSelectElement = h(
    "select.field",
    { "aria-label": say("Channel"), onchange: () => want({ channel: channels.value || null })() },
    h("option", { value: "" }, say("All channels")),
  );
  const weeks = h("div.line.wrap");
  const { view, show } = createBoard(
    {
      title: say("Questions"),
      read: () => requestHost<DigestBody>("GET", `/api/digest${queryOf(wanted)}`),
      parts: (digest: DigestBody) => {
        const { week, isOver } = digest;
        const other = (by: number, label: string) =>
          h("button.small", { onclick: want({ week: moved(week, by) }) }, label);
        weeks.replaceChildren(
          other(-WEEK, say("Week before")),
          h("strong", say(isOver ? "Week: {span}" : "This week, so far: {span}", { span: spanText(week) })),
          ...(isOver ? [other(WEEK, say("Week after"))] : []),
        );
        return parts(digest, { ...wanted, week });
      },
    },
    h(
      "p.muted",
      say(
        "Questions, their outcomes, and missing documentation pages. The people who asked are not shown. Withdrawn questions are not counted.",
      ),
    ),
    h("div.line.wrap", channels, weeks),
  );
  view.classList.add("digest");
  void listChannels(channels);
  return view;
};

const queryOf = ({ week, channel }: Wanted): string => {
  const query = new URLSearchParams({
    ...(week === null ? {} : { week }),
    ...(channel === null ? {} : { channel }),
  });
  return query.size === 0 ? "" : `?${query}`;
};

const listChannels = async (list: HTMLElement): Promise<void> => {
  const read = await requestHost<{ readonly names: readonly CalledChannel[] }>("GET", "/api/channels/names");
  if (read.kind !== "ok") return;
  for (const { surface, place, called } of read.data.names) {
    const name = called?.kind === "named" ? called.name : place;
    list.append(h("option", { value: `${surface}:${place}` }, `${name} (${surfaceName(surface)})`));
  }
};

const moved = (week: string, by: number): string =>
  new Date(Date.parse(`${week}T00:00:00Z`) + by).toISOString().slice(0, 10);

const spanText = (week: string): string => {
  const from = Date.parse(`${week}T00:00:00Z`);
  return say("{from} to {to}", { from: dayText(from), to: dayText(from + WEEK - 1) });
};

const dayText = (at: number): string =>
  new Date(at).toLocaleDateString(undefined, { day: "numeric", month: "long", timeZone: "UTC" });

const parts = (digest: DigestBody, wanted: Wanted): readonly HTMLElement[] => {
  const { counts, topics, others, cited } = digest;
  if (counts.questions === 0) return [h("p.panel", NOTHING)];
  return [
    part(
      say("Outcomes"),
      chart(say("Outcomes of the questions"), outcomes(digest)),
      h("p.fine", money(digest)),
    ),
    part(
      say("By topic"),
      chart(
        say("Questions by topic"),
        topics.map(({ name, questions }) => ({ label: name, count: questions })),
        topicTable(digest, wanted),
      ),
      others === 0 ? null : h("p.fine", say("Without a topic: {count}.", { count: number(others) })),
    ),
    part(say("Without an answer"), said(digest.unanswered.map((question) => [question]))),
    part(
      say("Thumbs down"),
      said(digest.disliked.map(({ question, reasons }) => [question ?? TAKEN_BACK, ...reasons])),
    ),
    part(say("Gone stale"), said(digest.stale.map((question) => [question]))),
    part(
      say("Cited most"),
      chart(
        say("Pages and files that are cited most"),
        cited.map(({ what, times }) => ({ label: what, count: times })),
      ),
    ),
    h(
      "div.line",
      h(
        "button",
        {
          onclick: async () => {
            const saved = await saveFile(`/api/digest/csv${queryOf(wanted)}`, `parley-${digest.week}.csv`);
            if (!saved) toast(say("The host returned no file. Try again."));
          },
        },
        say("Download as CSV"),
      ),
    ),
  ];
};

const NOTHING = say(
  "No questions were asked in this week. This page lists questions by topic, questions without an answer, thumbs down with reasons, questions asked again, stale answers, and the most cited pages and files.",
);
const TAKEN_BACK = say("(withdrawn)");

const outcomes = ({ counts }: DigestBody) => [
  { label: say("Asked"), count: counts.questions },
  { label: say("Answered"), count: counts.answered },
  { label: say("Without an answer"), count: counts.unanswered },
  { label: say("Asked again after an answer"), count: counts.again },
  { label: say("Solved"), count: counts.solved },
  { label: say("Thumbs up"), count: counts.up },
  { label: say("Thumbs down"), count: counts.down },
  { label: say("Gone stale"), count: counts.stale },
];

const money = ({ spentUsd, spentEachUsd, channels }: DigestBody): string => {
  const where =
    channels === 1 ? say("In one channel.") : say("In {count} channels.", { count: number(channels) });
  const cost = dollarText(spentUsd);
  const spent =
    spentEachUsd === null
      ? say("The answers cost {cost}.", { cost })
      : say("The answers cost {cost}, {each} for each solved question.", {
          cost,
          each: dollarText(spentEachUsd),
        });
  return `${where} ${spent}`;
};

/** The last column has the buttons. */
const COLUMNS: readonly string[] = [
  say("Topic"),
  say("Questions"),
  say("No answer"),
  say("Thumbs down"),
  say("Again"),
  say("From code alone"),
  "",
];

const topicTable = ({ topics, week }: DigestBody, wanted: Wanted): HTMLElement =>
  h(
    "div.wide-table",
    h(
      "table",
      h(
        "thead",
        each("tr", COLUMNS, (head) => h("th", { scope: "col" }, head)),
      ),
      each("tbody", topics, (topic) =>
        h(
          "tr",
          h(
            "th",
            { scope: "row" },
            h(
              "details",
              h("summary", topic.name),
              each("ul", topic.asked, ({ question }) => h("li", question)),
            ),
          ),
          [topic.questions, topic.unanswered, topic.down, topic.again, topic.codeOnly].map((count) =>
            h("td", number(count)),
          ),
          h(
            "td",
            topic.isMissed
              ? draftButton(topic.name, {
                  week,
                  topic: topic.key,
                  ...(wanted.channel === null ? {} : { channel: wanted.channel }),
                })
              : null,
          ),
        ),
      ),
    ),
  );

const draftButton = (name: string, body: object): HTMLElement =>
  h(
    "button.small",
    {
      "aria-label": say("Draft the page about {topic}", { topic: name }),
      title: say("Starts a conversation that writes the page and shows it as a draft"),
      onclick: async () => {
        const answer = await requestHost<{ readonly conversation: string }>(
          "POST",
          "/api/digest/draft",
          body,
        );
        if (answer.kind === "ok") location.hash = `#/c/${answer.data.conversation}`;
        else toast(answer.message);
      },
    },
    say("Draft the page"),
  );

const said = (all: readonly (readonly string[])[]): HTMLElement | null =>
  all.length === 0
    ? null
    : each("ul.stack", all, ([question = "", ...more]) =>
        h("li", h("span", question), ...(more.length === 0 ? [] : [h("span.soft", ` – ${more.join("; ")}`)])),
      );

const part = (title: string, ...content: readonly Child[]): HTMLElement =>
  h(
    "section.panel.stack",
    { "aria-label": title },
    h("h2", title),
    content.every((one) => one === null) ? h("p.fine", say("None.")) : content,
  );
