import { h, openDialog, pairs } from "../../../../adapters/page/dom.ts";
import { say } from "../../../../adapters/page/words.ts";
import type { Label } from "../../../i18n/say.ts";

const KEYS = [
  ["Enter", "Send"],
  ["Shift Enter", "New line"],
  ["Esc", "Stop the agent while it works"],
  ["/", "Go to the message field"],
  ["Alt N", "New conversation"],
  ["Alt ↑", "Previous conversation"],
  ["Alt ↓", "Next conversation"],
  ["?", "This list"],
] as const satisfies readonly (readonly [string, Label])[];

export const showHelp = (): void => {
  const rows = KEYS.map(([keys, what]) => [keys.split(" ").map((key) => h("kbd", key)), say(what)] as const);
  const close = h("button.primary", { onclick: () => dialog.close(), autofocus: true }, say("Close"));
  const dialog: HTMLDialogElement = openDialog(say("Keyboard shortcuts"), pairs(rows), close);
};

interface KeyActions {
  stop(): void;
  focus(): void;
  fresh(): void;
  step(by: number): void;
  print(): void;
}

export const listenForKeys = (actions: KeyActions): void => {
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]") !== null || event.defaultPrevented) return;
    const { target, key } = event;
    const typing = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (key === "Escape" && target instanceof HTMLInputElement) target.blur();
    else if (key === "Escape") actions.stop();
    else if (event.altKey && event.code === "KeyN") actions.fresh();
    else if (event.altKey && key === "ArrowUp") actions.step(-1);
    else if (event.altKey && key === "ArrowDown") actions.step(1);
    else if ((event.ctrlKey || event.metaKey) && key === "p") actions.print();
    else if (!typing && key === "/") actions.focus();
    else if (!typing && key === "?") showHelp();
    else return;
    event.preventDefault();
  });
};
