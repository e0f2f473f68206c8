/** The start of a conversation: which repository, and what a newcomer should know. */

import { h, icon } from "./dom.js";

const IDEAS = [
  "Where is the retry policy implemented?",
  "What does this project do, and how is it laid out?",
  "Which tests cover the configuration?",
];

/** `about` may still be null. `use(text)` fills the message field. */
export const welcomeView = (about, repo, use) =>
  h(
    "div",
    { class: "welcome" },
    h("h1", {}, "What would you like to know?"),
    h(
      "p",
      { class: "lead" },
      about !== null && about.sandbox.notice === null
        ? "The agent reads the repository with real tools. It starts Restricted: the kernel lets it read the checkout and nothing else, until you approve more."
        : "The agent reads the repository with real tools.",
    ),
    h("label", { class: "label", for: "repo" }, "Repository"),
    repo,
    h(
      "p",
      { class: "help" },
      "A path on this machine, or an https or ssh address. It stays the conversation’s own.",
    ),
    h(
      "ul",
      { class: "ideas" },
      IDEAS.map((idea) => h("li", {}, h("button", { type: "button", onclick: () => use(idea) }, idea))),
    ),
    ...notices(about),
  );

const notices = (about) =>
  [about?.sandbox.notice, about?.model.notice]
    .filter((text) => typeof text === "string")
    .map((text, index) =>
      h(
        "aside",
        { class: `notice ${index === 0 && about.sandbox.notice !== null ? "warning" : "plain"}` },
        icon("alert"),
        h("div", { class: "notice-text" }, text),
      ),
    );

export const repoField = (value, onchange) =>
  h("input", {
    id: "repo",
    class: "field mono",
    type: "text",
    value,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    placeholder: "/path/to/repository or https://…",
    oninput: (event) => onchange(event.target.value),
  });
