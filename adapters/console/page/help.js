/** The shortcuts, and the keys themselves. */

import { h } from "./dom.js";

const KEYS = [
  ["Enter", "Send"],
  ["Shift Enter", "New line"],
  ["Esc", "Stop the agent while it works"],
  ["/", "Go to the message field"],
  ["Alt N", "New conversation"],
  ["Alt ↑", "Previous conversation"],
  ["Alt ↓", "Next conversation"],
  ["?", "This list"],
];

export const showHelp = () => {
  const close = () => dialog.close();
  const dialog = h(
    "dialog",
    { class: "help-box", "aria-label": "Keyboard shortcuts", onclose: () => dialog.remove() },
    h("h2", {}, "Keyboard shortcuts"),
    h(
      "dl",
      {},
      KEYS.map(([keys, what]) =>
        h(
          "div",
          {},
          h(
            "dt",
            {},
            keys.split(" ").map((key) => h("kbd", {}, key)),
          ),
          h("dd", {}, what),
        ),
      ),
    ),
    h("button", { type: "button", class: "primary", onclick: close, autofocus: true }, "Close"),
  );
  document.body.append(dialog);
  dialog.showModal();
};

/** `actions`: `stop()`, `focus()`, `fresh()`, `step(by)`. */
export const listenForKeys = (actions) => {
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]") !== null || event.defaultPrevented) return;
    const typing = /^(INPUT|TEXTAREA)$/.test(event.target.tagName ?? "");
    if (event.key === "Escape" && event.target.tagName === "INPUT") event.target.blur();
    else if (event.key === "Escape") actions.stop();
    else if (event.altKey && event.code === "KeyN") actions.fresh();
    else if (event.altKey && event.key === "ArrowUp") actions.step(-1);
    else if (event.altKey && event.key === "ArrowDown") actions.step(1);
    else if (!typing && event.key === "/") actions.focus();
    else if (!typing && event.key === "?") showHelp();
    else return;
    event.preventDefault();
  });
};
