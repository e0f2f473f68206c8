/** One tool call: a quiet line that unfolds to what went in and what came out. */

import { spelled, spelledProse } from "../../../../src/text/invisible.ts";
import { copyButton } from "./copy.ts";
import { diffView, statView } from "./diff.ts";
import { each, foldLine, h, type Icon } from "../dom.ts";
import { dollars } from "./format.ts";
import { pictureView } from "./pictures.ts";
import type { PostOf, WireAgent } from "../../render/api-types.ts";
import { say } from "../words.ts";
import type { Label } from "../../../../src/words/say.ts";

type Activity = PostOf<"activity">;

interface Verb {
  readonly icon: Icon;
  readonly now: Label;
  readonly then: Label;
}

const VERBS: ReadonlyMap<string, Verb> = new Map(
  Object.entries<Verb>({
    bash: { icon: "terminal", now: "Running", then: "Ran" },
    patch: { icon: "file", now: "Editing", then: "Edited" },
    keyword_search: { icon: "search", now: "Searching", then: "Searched" },
    read_image: { icon: "eye", now: "Looking at", then: "Looked at" },
    attach_file: { icon: "file", now: "Attaching", then: "Attached" },
    think: { icon: "thought", now: "Thinking", then: "Thought" },
    spawn_agents: { icon: "branch", now: "Waiting for sub-agents", then: "Asked sub-agents" },
    request_mode_upgrade: { icon: "lock", now: "Asking", then: "Asked for write access" },
  }),
);

/** Tools whose title is words, not code. */
const PROSE = new Set(["think", "keyword_search", "spawn_agents", "request_mode_upgrade"]);

/** Calls that a person unfolded or folded by hand stay as they were when the call changes. */
const chosen = new Map<string, boolean>();

export const activityView = (post: Activity) => {
  const verb = VERBS.get(post.tool) ?? null;
  const failed = post.status === "error";
  const isOver = post.status === "done" || failed;
  const known = verb === null ? post.tool : say(isOver ? verb.then : verb.now);
  const said = isOver || post.status === "running" ? known : say("Next");
  const line = foldLine(
    failed ? "alert" : (verb?.icon ?? "plus"),
    said,
    h(PROSE.has(post.tool) ? "span.cut.title" : "span.cut.mono.title", spelledProse(post.title)),
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
    post.images.map(({ url }) => pictureView(url, say("What the tool looked at"))),
  );
};

const agentsView = (agents: readonly WireAgent[]) =>
  each("ol.agents", agents, ({ id, task, outcome, finished, costUsd }) =>
    h(
      "li",
      h("a", { href: `#/c/${id}` }, task === "" ? id : task),
      " ",
      h(outcome === null || finished ? "span" : "span.failed", outcome ?? say("at work")),
      costUsd === 0 ? null : ` · ${dollars(costUsd)}`,
    ),
  );

/** `text`: null until there is one. */
const block = (label: Label, copy: Label, text: string | null) => {
  const isBlank = text === null || text.trim() === "";
  const shown = h(
    "pre.sunk",
    { tabindex: "0" },
    isBlank ? say(text === null ? "Not finished yet." : "(nothing)") : spelled(text),
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
