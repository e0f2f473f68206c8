/**
 * A bar chart, drawn by the page's own styles. People who cannot see the bars find the numbers in a table
 * below.
 */

import { each, h } from "./dom.ts";
import { number } from "./format.ts";
import { say } from "./words.ts";

interface Bar {
  readonly label: string;
  readonly count: number;
}

/** `table`: replaces the plain table with the same numbers. */
export const chart = (title: string, bars: readonly Bar[], table?: HTMLElement): HTMLElement | null => {
  if (bars.length === 0) return null;
  const most = Math.max(...bars.map(({ count }) => count), 1);
  return h(
    "figure",
    { "aria-label": title },
    h(
      "div.bars",
      { "aria-hidden": "true" },
      bars.map((bar) => row(bar, most)),
    ),
    table ??
      h(
        "details.numbers",
        h("summary", say("As a table")),
        h(
          "table",
          h("caption", title),
          each("tbody", bars, ({ label, count }) =>
            h("tr", h("th", { scope: "row" }, label), h("td", number(count))),
          ),
        ),
      ),
  );
};

const row = ({ label, count }: Bar, most: number): HTMLElement =>
  h(
    "div.bar-row",
    h("span.bar-label", { title: label }, label),
    h("span.bar-room", barOf((count / most) * 100)),
    h("span.bar-count", number(count)),
  );

/** Returns a bar that fills this share of its space. */
export const barOf = (percent: number): HTMLElement => {
  const bar = h("span.bar");
  bar.style.width = `${percent}%`;
  return bar;
};
