/** Menu of a conversation in the list, and the dialogs that the menu opens. */

import type { ConversationSummary } from "../../render/api-types.ts";
import { requestHost } from "../../../../../adapters/page/api.ts";
import { type Child, h, icon, openDialog, openForm, toast } from "../../../../../adapters/page/dom.ts";
import { personNameOf } from "../../../../../adapters/page/format.ts";
import { say } from "../../../../../adapters/page/words.ts";

const change = (id: string, body: object) =>
  requestHost<ConversationSummary>("PATCH", `/api/conversations/${id}`, body);

interface ManageActions {
  changed(summary: ConversationSummary): void;
  gone(id: string): void;
}

export const entryMenu = (one: ConversationSummary, on: ManageActions): HTMLElement => {
  const button: HTMLElement = h(
    "button.entry-menu",
    {
      "aria-haspopup": "menu",
      "aria-label": say("Menu of {name}", { name: personNameOf(one) }),
      title: say("Rename, archive, delete"),
      onclick: () => openMenu(one, button, on),
    },
    icon("more"),
  );
  return button;
};

const openMenu = (one: ConversationSummary, button: HTMLElement, on: ManageActions) => {
  const item = (label: string, act: () => unknown, tag: "button" | "button.danger" = "button") =>
    h(
      tag,
      {
        role: "menuitem",
        onclick: () => {
          menu.hidePopover();
          void act();
        },
      },
      label,
    );
  const menu: HTMLElement = h(
    "div.panel.menu-box",
    {
      popover: "auto",
      role: "menu",
      "aria-label": personNameOf(one),
      onkeydown: (event) => step(menu, event),
      ontoggle: ({ newState }) => newState === "closed" && menu.remove(),
    },
    item(say("Rename…"), () => showRename(one, on)),
    one.archived === true
      ? item(say("Bring back"), () => move(one, false, on))
      : item(say("Archive"), () => move(one, true, on)),
    item(say("Delete…"), () => showDelete(one, on), "button.danger"),
  );
  document.body.append(menu);
  menu.showPopover();
  const { left, bottom, top } = button.getBoundingClientRect();
  const below = bottom + menu.offsetHeight + 8 < window.innerHeight;
  menu.style.left = `${Math.max(8, Math.min(left, window.innerWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${below ? bottom + 4 : top - menu.offsetHeight - 4}px`;
  menu.querySelector("button")?.focus();
};

/** Keys must stay in the menu: Escape would stop the agent. */
const step = (menu: HTMLElement, event: KeyboardEvent) => {
  const items = [...menu.querySelectorAll("button")];
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (event.key === "Escape" || event.key === "Tab") menu.hidePopover();
  else if (by !== 0) {
    const at = items.findIndex((item) => item === document.activeElement);
    items.at((at + by) % items.length)?.focus();
  } else if (event.key !== "Enter" && event.key !== " ") return;
  event.stopPropagation();
  if (event.key !== "Enter" && event.key !== " ") event.preventDefault();
};

const move = async (one: ConversationSummary, archived: boolean, on: ManageActions) => {
  const answer = await change(one.id, { archived });
  if (answer.kind !== "ok") return toast(answer.message);
  on.gone(one.id);
  if (archived)
    toast(say("Archived. To bring the conversation back, write in it or open Archived below the list."));
};

const showRename = (one: ConversationSummary, on: ManageActions) => {
  const name = h("input.field", {
    name: "title",
    value: one.title,
    "aria-label": say("Name"),
    maxlength: "200",
  });
  ask(say("Rename"), [name], h("button.primary", { type: "submit" }, say("Rename")), async (close) => {
    const answer = await change(one.id, { title: name.value });
    if (answer.kind !== "ok") return answer.message;
    close();
    on.changed(answer.data);
    return null;
  });
  name.select();
};

const showDelete = (one: ConversationSummary, on: ManageActions) => {
  const warning = [
    say(
      "Deletion permanently removes all data of the conversation from this host: messages, posts, trace, pictures, and the checkout with any work that was not pushed.",
    ),
    ...(one.surface === "console" ? [] : [say("Messages in the chat platform's thread are not deleted.")]),
  ].join(" ");
  const button = h("button.danger", { type: "submit" }, say("Delete"));
  ask(say("Delete “{name}”?", { name: personNameOf(one) }), [h("p", warning)], button, async (close) => {
    const answer = await requestHost("DELETE", `/api/conversations/${one.id}`);
    if (answer.kind === "offline" || (answer.kind === "refused" && answer.status !== 404))
      return answer.message;
    close();
    on.gone(one.id);
    return null;
  });
};

type Submit = (close: () => void) => Promise<string | null>;

const ask = (title: string, parts: readonly Child[], button: Node, submit: Submit) => {
  const close = () => dialog.close();
  const buttons = h("div.line.box-buttons", h("button", { onclick: close }, say("Cancel")), button);
  const form = openForm("form", {}, () => submit(close), parts, buttons);
  const dialog: HTMLDialogElement = openDialog(title, form);
};
