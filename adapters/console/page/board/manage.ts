/** What can be done with a conversation as a whole: a menu beside its entry, and the dialogs that it opens. */

import type { Summary } from "../../render/api-types.ts";
import { request } from "../api.ts";
import { type Child, h, openDialog, toast } from "../dom.ts";
import { nameOf } from "../thread/format.ts";

const change = (id: string, body: object) => request<Summary>("PATCH", `/api/conversations/${id}`, body);

export interface ManageActions {
  changed(summary: Summary): void;
  /** It has left the list that is shown. */
  gone(id: string): void;
}

export const entryMenu = (one: Summary, on: ManageActions): HTMLElement => {
  const button: HTMLElement = h(
    "button.entry-menu",
    {
      "aria-haspopup": "menu",
      "aria-label": `Menu of ${nameOf(one)}`,
      title: "Rename, archive, delete",
      onclick: () => openMenu(one, button, on),
    },
    "⋯",
  );
  return button;
};

const openMenu = (one: Summary, button: HTMLElement, on: ManageActions) => {
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
      "aria-label": nameOf(one),
      onkeydown: (event) => step(menu, event),
      ontoggle: ({ newState }) => newState === "closed" && menu.remove(),
    },
    item("Rename…", () => showRename(one, on)),
    one.archived === true
      ? item("Bring back", () => move(one, false, on))
      : item("Archive", () => move(one, true, on)),
    item("Delete…", () => showDelete(one, on), "button.danger"),
  );
  document.body.append(menu);
  menu.showPopover();
  const { left, bottom, top } = button.getBoundingClientRect();
  const below = bottom + menu.offsetHeight + 8 < window.innerHeight;
  menu.style.left = `${Math.max(8, Math.min(left, window.innerWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${below ? bottom + 4 : top - menu.offsetHeight - 4}px`;
  menu.querySelector("button")?.focus();
};

/** Keys stay in the menu: Escape must not stop the agent. */
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

const move = async (one: Summary, archived: boolean, on: ManageActions) => {
  const answer = await change(one.id, { archived });
  if (answer.kind !== "ok") return toast(answer.message);
  on.gone(one.id);
  if (archived) toast("Archived. It comes back when somebody writes in it, or from Archived below the list.");
};

const showRename = (one: Summary, on: ManageActions) => {
  const name = h("input", {
    name: "title",
    class: "field",
    value: one.title,
    "aria-label": "Name",
    maxlength: "200",
  });
  const told = h("p", { role: "status" });
  const save = async (event: Event) => {
    event.preventDefault();
    const answer = await change(one.id, { title: name.value });
    if (answer.kind !== "ok") {
      told.textContent = answer.message;
      return;
    }
    dialog.close();
    on.changed(answer.data);
  };
  const dialog: HTMLDialogElement = box(
    "Rename",
    h(
      "form",
      { onsubmit: (event) => void save(event) },
      name,
      told,
      h(
        "div.line.box-buttons",
        h("button", { onclick: () => dialog.close() }, "Cancel"),
        h("button.primary", { type: "submit" }, "Rename"),
      ),
    ),
  );
  name.select();
};

const showDelete = (one: Summary, on: ManageActions) => {
  const told = h("p", { role: "status" });
  const remove = async () => {
    button.disabled = true;
    const answer = await request("DELETE", `/api/conversations/${one.id}`);
    if (answer.kind === "offline" || (answer.kind === "refused" && answer.status !== 404)) {
      button.disabled = false;
      told.textContent = answer.message;
      return;
    }
    dialog.close();
    on.gone(one.id);
  };
  const button: HTMLButtonElement = h("button.danger", { onclick: () => void remove() }, "Delete");
  const elsewhere =
    one.surface === "console" ? "" : " What stands in its thread is the chat platform's, and stays there.";
  const dialog: HTMLDialogElement = box(
    `Delete “${nameOf(one)}”?`,
    h(
      "p",
      `All that this host holds of it goes for good: words, posts, trace, pictures, and its checkout with whatever was not pushed.${elsewhere}`,
    ),
    told,
    h(
      "div.line.box-buttons",
      h("button", { onclick: () => dialog.close(), autofocus: true }, "Cancel"),
      button,
    ),
  );
};

const box = (title: string, ...parts: readonly Child[]): HTMLDialogElement => {
  const dialog = openDialog(title, ...parts);
  dialog.classList.add("manage-box");
  return dialog;
};
