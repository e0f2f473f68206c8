/** Start of a conversation: the choice of the repository, and facts for new users. */

import type { About } from "../render/api-types.ts";
import { each, h, icon } from "../../../../adapters/page/dom.ts";
import { say } from "../../../../adapters/page/words.ts";
import type { Label } from "../../../i18n/say.ts";

const IDEAS: readonly Label[] = [
  "Where is the retry policy implemented?",
  "What does this project do, and how is it laid out?",
  "Which tests cover the configuration?",
];

/** `about` is null until loaded. `use`: fills the message field. */
export const welcomeView = (about: About | null, repo: Node, use: (text: string) => void) =>
  h(
    "div.stack.welcome",
    h("h1", say("What would you like to know?")),
    h(
      "p.muted.lead",
      about !== null && about.sandbox.notice === null
        ? say(
            "Parley reads the repository with real tools. Parley starts Restricted: the kernel lets it read only the checkout until you approve more.",
          )
        : say("Parley reads the repository with real tools."),
    ),
    h("label.label", { for: "repo" }, say("Repository")),
    repo,
    h(
      "p.fine",
      say("A path on this machine, or an https or ssh address. The conversation keeps this repository."),
    ),
    each(
      "ul.line.wrap.ideas",
      IDEAS.map((one) => say(one)),
      (idea) => h("li", h("button", { onclick: () => use(idea) }, idea)),
    ),
    notice("aside.panel.soft.notice.warning", about?.sandbox.notice),
    notice("aside.panel.soft.notice", about?.model.notice),
  );

const notice = (tag: `aside.${string}`, text: string | null = null) =>
  text === null ? null : h(tag, icon("alert"), h("div.stack", say.stored(text)));

export const repoField = (value: string, onchange: (value: string) => void): HTMLElement => {
  const field: HTMLInputElement = h("input", {
    id: "repo",
    class: "field mono",
    type: "text",
    value,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    placeholder: say("/path/to/repository or https://…"),
    oninput: () => onchange(field.value),
  });
  return field;
};
