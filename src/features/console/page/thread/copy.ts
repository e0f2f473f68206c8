import type { Label } from "../../../../i18n/say.ts";
import { h, icon, toast } from "../../../../../adapters/page/dom.ts";
import { say } from "../../../../../adapters/page/words.ts";

/** `textOf`: returns the text at the time of the click. */
export const copyButton = (label: Label, textOf: () => string): HTMLElement => {
  const copy = async () => {
    try {
      await copyText(textOf());
    } catch {
      toast(say("This browser does not allow the page to copy. Select the text instead."));
      return;
    }
    button.replaceChildren(icon("check"));
    setTimeout(() => button.replaceChildren(icon("copy")), 1_500);
  };
  const button = h(
    "button.ghost.copy",
    { type: "button", "aria-label": say(label), title: say("Copy"), onclick: copy },
    icon("copy"),
  );
  return button;
};

/** Returns `shown` below a bar with the copy button. The button copies `words`, or the shown text if `words` is absent. */
export const withCopy = (label: Label, shown: HTMLElement, words?: string): HTMLElement =>
  h(
    "div.copied",
    h(
      "div.line.fine.copy-bar",
      copyButton(label, () => words ?? shown.textContent),
    ),
    shown,
  );

/** Without TLS a page has no clipboard API, so the text is copied through a selection. */
const copyText = async (text: string): Promise<void> => {
  if (window.isSecureContext) return navigator.clipboard.writeText(text);
  const field = h("textarea.quiet", { "aria-hidden": "true", tabindex: "-1" });
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (!isCopied) throw new Error("not copied");
};
