/** A unified diff as rows with line numbers. The signs stay visible, so that color is never the only mark. */

import { visibleDiff } from "../../../../text/visible-diff.ts";
import { h } from "../../../../../adapters/page/dom.ts";
import { withCopy } from "./copy.ts";
import { say } from "../../../../../adapters/page/words.ts";

export const statView = (diff: string) => {
  const rows = diffRowsOf(diff);
  const added = rows.filter(({ kind }) => kind === "added").length;
  const removed = rows.filter(({ kind }) => kind === "removed").length;
  return h(
    "span.line.stat",
    { role: "img", "aria-label": say("{added} lines added, {removed} removed", { added, removed }) },
    h("span.plus", `+${added}`),
    h("span.minus", `−${removed}`),
  );
};

export const diffView = (diff: string) => {
  const rows = diffRowsOf(visibleDiff(diff, say("Each line of this file ends with CR LF")));
  const files = rows.filter(({ kind }) => kind === "file").length;
  const shown = rows.filter(({ kind }) => kind !== "file" || files > 1 || diff.includes("\nrename to "));
  const view = h(
    "div.panel.diff",
    { tabindex: "0", role: "region", "aria-label": say("Changes") },
    h("div.diff-rows", shown.map(rowView)),
  );
  return withCopy("Copy this diff", view, diff);
};

interface Row {
  readonly kind: "file" | "hunk" | "added" | "removed" | "same";
  /** Line numbers; "" if the version before or after the change does not contain the line. */
  readonly before: number | "";
  readonly after: number | "";
  readonly sign: string;
  readonly text: string;
}

/**
 * The counts in the hunk's header determine the kind of a line. The line's text does not: a removed SQL comment looks like a
 * file header.
 */
export const diffRowsOf = (diff: string): readonly Row[] => {
  const rows: Row[] = [];
  const add = (
    kind: Row["kind"],
    text: string,
    sign = "",
    before: number | "" = "",
    after: number | "" = "",
  ) => rows.push({ kind, before, after, sign, text });
  const at = { before: 0, after: 0 };
  const left = { before: 0, after: 0 };
  let from: string | null = null;
  const take = (side: "before" | "after") => {
    left[side] -= 1;
    at[side] += 1;
    return at[side] - 1;
  };
  for (const line of diff.replace(/\n$/, "").split("\n")) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/.exec(line);
    const text = line.slice(1);
    if (line.startsWith("-") && left.before > 0) add("removed", text, "−", take("before"));
    else if (line.startsWith("+") && left.after > 0) add("added", text, "+", "", take("after"));
    else if (/^( |$)/.test(line) && left.before > 0 && left.after > 0)
      add("same", text, " ", take("before"), take("after"));
    else if (hunk !== null) {
      const [, before, beforeCount = "1", after, afterCount = "1", heading = ""] = hunk;
      Object.assign(at, { before: Number(before), after: Number(after) });
      Object.assign(left, { before: Number(beforeCount), after: Number(afterCount) });
      add("hunk", heading === "" ? "…" : heading);
    } else if (line.startsWith("rename from ")) from = line.slice("rename from ".length);
    else if (line.startsWith("rename to ")) add("file", `${from ?? ""} → ${line.slice("rename to ".length)}`);
    else if (line.startsWith("diff --git ")) from = null;
    else if (line.startsWith("+++ ") && from === null) add("file", fileName(line));
    else if (line.startsWith("\\ ") || line.startsWith("…")) add("hunk", line.replace("\\ ", ""));
  }
  return rows;
};

const fileName = (line: string) => line.slice(4).replace(/^b\//, "").replace(/\t.*$/, "");

const rowView = ({ kind, before, after, sign, text }: Row) =>
  h(
    "div",
    { class: `row ${kind}` },
    h("span.no", { "aria-hidden": "true" }, String(before)),
    h("span.no", { "aria-hidden": "true" }, String(after)),
    h("span.sign", sign),
    h("span.text", text),
  );
