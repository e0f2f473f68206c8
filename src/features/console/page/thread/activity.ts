/** One tool call: a line that unfolds to the input and the output. */

import { spellInvisible, spellInvisibleInProse } from "../../../../text/invisible.ts";
import { copyButton } from "./copy.ts";
import { diffView, statView } from "./diff.ts";
import { each, foldLine, h } from "../../../../../adapters/page/dom.ts";
import { dollarText } from "../../../../../adapters/page/format.ts";
import { pictureView } from "./pictures.ts";
import type { PostOf, WireAgent } from "../../render/api-types.ts";
import { say } from "../../../../../adapters/page/words.ts";
import type { Label } from "../../../../i18n/say.ts";

type Activity = PostOf<"activity">;

/** Calls that a person has unfolded or folded by hand; they keep this state when the call changes. */
const chosen = new Map<string, boolean>();

export const activityView = (post: Activity) => {
  const failed = post.status === "error";
  const line = foldLine(
    failed ? "alert" : post.icon,
    post.before,
    h(post.face === "prose" ? "span.cut.title" : "span.cut.mono.title", spellInvisibleInProse(post.title)),
    post.after === "" ? null : h("span.verb", post.after),
    post.diff === null ? null : statView(post.diff),
    post.ended === "" ? null : h(failed ? "span.failed" : "span.ended", post.ended),
  );
  const open = chosen.get(post.key) ?? (post.diff !== null && post.diff.length < 6_000);
  const details = h("details", { class: `soft call ${post.status}`, open }, line);
  const fill = () => {
    if (details.childElementCount === 1) details.append(inside(post));
  };
  line.addEventListener("click", () => chosen.set(post.key, !details.open));
  details.addEventListener("toggle", fill);
  if (open) fill();
  return details;
};

const inside = (post: Activity) => {
  const long = post.input.includes("\n") || post.input !== post.title;
  return h(
    "div.stack.inside",
    post.thought === undefined ? null : block("Thought", "Copy this thought", post.thought),
    post.agents === undefined ? null : agentsView(post.agents),
    post.diff === null ? null : diffView(post.diff),
    long && post.diff === null ? block("Input", "Copy this input", post.input) : null,
    post.diff === null || post.status === "error" ? block("Output", "Copy this output", post.output) : null,
    post.images.map(({ url }) => pictureView(url, say("Viewed by the tool"))),
  );
};

const agentsView = (agents: readonly WireAgent[]) =>
  each("ol.agents", agents, ({ id, task, outcome, finished, costUsd }) =>
    h(
      "li",
      h("a", { href: `#/c/${id}` }, task === "" ? id : task),
      " ",
      h(outcome === null || finished ? "span" : "span.failed", outcome ?? say("at work")),
      costUsd === 0 ? null : ` · ${dollarText(costUsd)}`,
    ),
  );

/** `text`: null if there is none yet. */
const block = (label: Label, copy: Label, text: string | null) => {
  const isBlank = text === null || text.trim() === "";
  const shown = h(
    "pre.sunk",
    { tabindex: "0" },
    isBlank ? say(text === null ? "Not finished yet." : "(nothing)") : spellInvisible(text),
  );
  return h(
    "div.io",
    h(
      "div.line.fine.io-label",
      h("span", say(label)),
      isBlank ? null : copyButton(copy, () => shown.textContent),
    ),
    shown,
  );
};
