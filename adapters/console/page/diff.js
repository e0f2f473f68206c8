/** A unified diff as rows with line numbers; signs stay, so that colour is never the only mark. */

import { h } from "./dom.js";

/** Lines added and removed. */
export const diffStat = (diff) => {
  const rows = diff.split("\n");
  const count = (sign, not) => rows.filter((row) => row.startsWith(sign) && !row.startsWith(not)).length;
  return { added: count("+", "+++"), removed: count("-", "---") };
};

export const statView = (diff) => {
  const { added, removed } = diffStat(diff);
  return h(
    "span",
    { class: "stat", "aria-label": `${added} lines added, ${removed} removed` },
    h("span", { class: "plus" }, `+${added}`),
    h("span", { class: "minus" }, `−${removed}`),
  );
};

export const diffView = (diff) => {
  const body = h("div", { class: "diff-rows" });
  const manyFiles = diff.split("\n+++ ").length > 2;
  let before = 0;
  let after = 0;
  for (const row of diff.replace(/\n$/, "").split("\n")) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/.exec(row);
    if (hunk !== null) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      body.append(line("hunk", "", "", "", hunk[3].trim() === "" ? "⋯" : hunk[3].trim()));
    } else if (/^(---|\+\+\+|diff |index |new file|deleted file|Index:|=====)/.test(row)) {
      if (manyFiles && row.startsWith("+++ "))
        body.append(line("file", "", "", "", row.slice(4).replace(/^b\//, "").split("\t")[0]));
    } else if (row.startsWith("+")) {
      body.append(line("added", "", after, "+", row.slice(1)));
      after += 1;
    } else if (row.startsWith("-")) {
      body.append(line("removed", before, "", "−", row.slice(1)));
      before += 1;
    } else if (row.startsWith("\\")) {
      body.append(line("hunk", "", "", "", row.slice(2)));
    } else {
      body.append(line("same", before, after, " ", row.slice(1)));
      before += 1;
      after += 1;
    }
  }
  return h("div", { class: "diff", tabindex: "0", role: "region", "aria-label": "Changes" }, body);
};

const line = (kind, before, after, sign, text) =>
  h(
    "div",
    { class: `row ${kind}` },
    h("span", { class: "no", "aria-hidden": "true" }, String(before)),
    h("span", { class: "no", "aria-hidden": "true" }, String(after)),
    h("span", { class: "sign" }, sign),
    h("span", { class: "text" }, text),
  );
