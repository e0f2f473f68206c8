/** The card on which a person decides: what the host knows above, the model's reason quoted below. */

import { h, icon } from "./dom.js";
import { clock, full, person, shortCommit } from "./format.js";

/** Comments typed but not yet sent, by post: a card may be drawn again at any time. */
const comments = new Map();

/** `question`: the pending question, or null once it is not; `decide(question, choice, text)` performs the click. */
export const questionView = (post, question, decide) =>
  post.decision === null && question !== null ? pending(post, question, decide) : decided(post);

const pending = (post, question, decide) => {
  const { facts } = question;
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
  const card = h(
    "div",
    { class: "card", role: "group", "aria-label": "The agent asks for write access" },
    h("h2", {}, icon("unlock"), "Allow this conversation to write?"),
    h(
      "dl",
      {},
      fact("Asked in a turn of", facts.askedBy === null ? "the host" : person(facts.askedBy)),
      fact("Repository", h("code", {}, facts.repo)),
      facts.commit === null ? null : fact("Commit", h("code", {}, shortCommit(facts.commit))),
      fact("Approving means", facts.covers),
    ),
    h("p", { class: "reason-label" }, "The agent’s reason, in its own words"),
    h("blockquote", {}, question.reason === "" ? "It gave none." : question.reason),
    comment,
    h(
      "div",
      { class: "choices" },
      h("button", { type: "button", class: "primary", onclick: click("approve") }, "Approve"),
      h("button", { type: "button", onclick: click("deny") }, "Deny"),
      h(
        "span",
        { class: "since", title: full(question.askedAt) },
        `Asked at ${clock(question.askedAt)}. It waits as long as you need.`,
      ),
    ),
  );
  return card;
};

const fact = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));

const decided = (post) => {
  const { decision } = post;
  const yes = decision?.choice === "approve";
  const by =
    decision === null
      ? ""
      : ` by ${person(decision.by) === "You" ? "you" : decision.by}, ${clock(decision.at)}`;
  const outcome = decision === null ? "Asked for write access" : `${yes ? "Approved" : "Denied"}${by}`;
  return h(
    "details",
    { class: `call decided ${yes ? "yes" : "no"}` },
    h(
      "summary",
      {},
      h("span", { class: "glyph" }, icon(yes ? "check" : "lock")),
      h("span", { class: "verb" }, outcome),
      h("span", { class: "title" }, decision?.comment ?? ""),
      h("span", { class: "fold" }, icon("chevron")),
    ),
    h(
      "div",
      { class: "inside" },
      h("div", { class: "io-label" }, "The agent’s reason"),
      h("blockquote", {}, post.reason === "" ? "It gave none." : post.reason),
      decision?.comment === null || decision === null
        ? null
        : [h("div", { class: "io-label" }, "Comment"), h("p", {}, decision.comment)],
    ),
  );
};
