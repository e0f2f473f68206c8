/** The card on which a person decides: what the host knows above, the model's reason quoted below. */

import { h, icon } from "../dom.js";
import { clock, full, person, shortCommit } from "./format.js";

/** Comments typed but not yet sent, by post: a card may be drawn again at any time. */
const comments = new Map();

/** `question`: the pending question, or null once it is not; `decide(question, choice, text)` performs the click. */
export const questionView = (post, question, decide) =>
  post.decision === null && question !== null ? pending(post, question, decide) : decided(post);

const pending = (post, question, decide) => {
  const comment = h("input", {
    type: "text",
    class: "field",
    placeholder: "Comment for the agent (optional)",
    "aria-label": "Comment for the agent, optional",
    maxlength: "2000",
    value: comments.get(post.key) ?? "",
    oninput: () => comments.set(post.key, comment.value),
  });
  const click = (choice) => async () => {
    for (const button of card.querySelectorAll("button")) button.disabled = true;
    await decide(question, choice, comment.value.trim());
    for (const button of card.querySelectorAll("button")) button.disabled = false;
  };
  const [title, reasonLabel] = TITLES[question.kind];
  const card = h(
    "div",
    { class: "card", role: "group", "aria-label": LABELS[question.kind] },
    h("h2", {}, icon(ICONS[question.kind]), title),
    h("dl", {}, facts(question)),
    question.kind === "write"
      ? texts(question)
      : [h("p", { class: "reason-label" }, reasonLabel), h("blockquote", {}, reasonText(question))],
    comment,
    h(
      "div",
      { class: "choices" },
      question.choices.map(({ id, label }, index) =>
        h("button", { type: "button", class: index === 0 ? "primary" : "", onclick: click(id) }, label),
      ),
      h(
        "span",
        { class: "since", title: full(question.askedAt) },
        `Asked at ${clock(question.askedAt)}. It waits as long as you need.`,
      ),
    ),
  );
  return card;
};

/** What would be written to the forge, whole: titles and texts are the model’s, quoted. */
const texts = ({ proposal }) =>
  (proposal?.texts ?? []).flatMap(({ name, text }) => [
    h("p", { class: "reason-label" }, name),
    h("blockquote", {}, text),
  ]);

const LABELS = {
  upgrade: "The agent asks for write access",
  danger: "Safe mode holds a call",
  mode: "The agent proposes another work mode",
  write: "The agent asks to write to the forge",
};
const ICONS = { upgrade: "unlock", danger: "alert", mode: "branch", write: "branch" };
const TITLES = {
  upgrade: ["Allow this conversation to write?", "The agent’s reason, in its own words"],
  danger: ["Let this call run?", "What it would run"],
  mode: ["Change the work mode?", "The agent’s reason, in its own words"],
  write: ["Let this be written?", ""],
};

/** What the host knows; the model’s words stand below, quoted. */
const facts = ({
  facts: { askedBy, repo, commit, covers, request, untrusted },
  details,
  proposal,
  kind,
  mode,
}) => [
  fact("Asked in a turn of", askedBy === null ? "the host" : person(askedBy)),
  fact("Repository", h("code", {}, repo)),
  commit === null ? null : fact("Commit", h("code", {}, shortCommit(commit))),
  fact("Untrusted, read so far", untrusted),
  request === undefined ? null : fact("For a request", request),
  kind === "upgrade" ? fact("Approving means", covers) : null,
  kind === "mode" ? fact("Work mode", h("code", {}, mode)) : null,
  kind === "mode" ? fact("It changes", "what the agent is told to aim for, never what it may do") : null,
  ...(details === undefined
    ? []
    : [
        fact("Category", h("code", {}, details.required_categories.join(", "))),
        fact("Why it is held", details.prompt.why),
        fact("Risk", details.prompt.risk),
        fact("It would change", details.prompt.changes.join("; ")),
      ]),
  ...(proposal === undefined ? [] : proposed(proposal)),
];

/** The host’s own reading. */
const proposed = ({ project, facts: read, files, unlisted }) => [
  fact("Where", h("code", {}, project)),
  ...read.map(({ name, value }) => fact(name, h("code", {}, value))),
  ...files.map(({ path, added, removed }) =>
    fact(added === null ? "binary" : `+${added} −${removed}`, h("code", {}, path)),
  ),
  unlisted === 0 ? null : fact("More files", String(unlisted)),
];

const reasonText = ({ kind, reason, details }) => {
  if (kind === "danger") return details?.prompt.what ?? "";
  return reason === "" ? "It gave none." : reason;
};

const fact = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));

const decided = (post) => {
  const { decision } = post;
  const yes = decision !== null && decision.choice !== "deny" && decision.choice !== "stay";
  const by =
    decision === null
      ? ""
      : ` by ${person(decision.by) === "You" ? "you" : decision.by}, ${clock(decision.at)}`;
  const what = post.about === "danger" ? ` ${post.details?.required_categories.join(", ") ?? ""}:` : "";
  const outcome = decision === null ? ASKED[post.about] : `${decision.verdict}${by}`;
  return h(
    "details",
    { class: `call decided ${yes ? "yes" : "no"}` },
    h(
      "summary",
      {},
      h("span", { class: "glyph" }, icon(yes ? "check" : "lock")),
      h("span", { class: "verb" }, `${outcome}${decision === null ? "" : what}`),
      h(
        "span",
        { class: "title" },
        decision?.comment ?? (post.about === "danger" ? (post.details?.prompt.what ?? "") : ""),
      ),
      h("span", { class: "fold" }, icon("chevron")),
    ),
    h(
      "div",
      { class: "inside" },
      post.about === "write"
        ? [h("dl", {}, proposed(post.proposal ?? NOTHING)), ...texts(post)]
        : [
            h(
              "div",
              { class: "io-label" },
              post.about === "danger" ? "What it would run" : "The agent’s reason",
            ),
            h("blockquote", {}, reasonText({ ...post, kind: post.about })),
          ],
      decision?.comment === null || decision === null
        ? null
        : [h("div", { class: "io-label" }, "Comment"), h("p", {}, decision.comment)],
    ),
  );
};

const NOTHING = { project: "[erased]", facts: [], files: [], unlisted: 0 };

const ASKED = {
  upgrade: "Asked for write access",
  danger: "Held by safe mode",
  mode: "Proposed another work mode",
  write: "Asked to write to the forge",
};
