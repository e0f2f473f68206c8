/** What can be done with a conversation as a whole: a menu beside its entry, and the dialogs that it opens. */

import { request } from "../api.js";
import { h, toast } from "../dom.js";

const change = (id, body) => request("PATCH", `/api/conversations/${id}`, body);

/** `on`: `changed(summary)`, `gone(id)`: it has left the list that is shown. */
export const menuButton = (one, on) => {
  const button = h(
    "button",
    {
      type: "button",
      class: "entry-menu",
      "aria-haspopup": "menu",
      "aria-label": `Menu of ${nameOf(one)}`,
      title: "Rename, archive, delete",
      onclick: () => openMenu(one, button, on),
    },
    "⋯",
  );
  return button;
};

const openMenu = (one, button, on) => {
  const item = (label, act, danger = false) =>
    h(
      "button",
      {
        type: "button",
        role: "menuitem",
        class: danger ? "danger" : null,
        onclick: () => {
          menu.hidePopover();
          void act();
        },
      },
      label,
    );
  const menu = h(
    "div",
    {
      class: "menu-box",
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
    item("Delete…", () => showDelete(one, on), true),
  );
  document.body.append(menu);
  menu.showPopover();
  const { left, bottom, top } = button.getBoundingClientRect();
  const below = bottom + menu.offsetHeight + 8 < window.innerHeight;
  menu.style.left = `${Math.max(8, Math.min(left, window.innerWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${below ? bottom + 4 : top - menu.offsetHeight - 4}px`;
  menu.firstElementChild.focus();
};

/** Keys stay in the menu: Escape must not stop the agent. */
const step = (menu, event) => {
  const items = [...menu.children];
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape" || event.key === "Tab") menu.hidePopover();
  else if (by !== undefined)
    items[(items.indexOf(document.activeElement) + by + items.length) % items.length].focus();
  else if (event.key !== "Enter" && event.key !== " ") return;
  event.stopPropagation();
  if (event.key !== "Enter" && event.key !== " ") event.preventDefault();
};

const move = async (one, archived, on) => {
  const answer = await change(one.id, { archived });
  if (answer.kind !== "ok") return toast(answer.message);
  on.gone(one.id);
  if (archived) toast("Archived. It comes back when somebody writes in it, or from Archived below the list.");
};

const showRename = (one, on) => {
  const name = h("input", {
    name: "title",
    class: "field",
    value: one.title,
    "aria-label": "Name",
    maxlength: "200",
  });
  const told = h("p", { role: "status" });
  const save = async (event) => {
    event.preventDefault();
    const answer = await change(one.id, { title: name.value });
    if (answer.kind !== "ok") {
      told.textContent = answer.message;
      return;
    }
    dialog.close();
    on.changed(answer.data);
  };
  const dialog = box(
    "Rename",
    h(
      "form",
      { onsubmit: (event) => void save(event) },
      name,
      told,
      h(
        "div",
        { class: "box-buttons" },
        h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
        h("button", { type: "submit", class: "primary" }, "Rename"),
      ),
    ),
  );
  name.select();
};

const showDelete = (one, on) => {
  const told = h("p", { role: "status" });
  const remove = async (event) => {
    event.target.disabled = true;
    const answer = await request("DELETE", `/api/conversations/${one.id}`);
    if (answer.kind !== "ok" && answer.status !== 404) {
      event.target.disabled = false;
      told.textContent = answer.message;
      return;
    }
    dialog.close();
    on.gone(one.id);
  };
  const elsewhere =
    one.surface === "console" ? "" : " What stands in its thread is the chat platform's, and stays there.";
  const dialog = box(
    `Delete “${nameOf(one)}”?`,
    h(
      "p",
      {},
      `All that this host holds of it goes for good: words, posts, trace, pictures, and its checkout with whatever was not pushed.${elsewhere}`,
    ),
    told,
    h(
      "div",
      { class: "box-buttons" },
      h("button", { type: "button", onclick: () => dialog.close(), autofocus: true }, "Cancel"),
      h("button", { type: "button", class: "danger", onclick: (event) => void remove(event) }, "Delete"),
    ),
  );
};

const box = (title, ...parts) => {
  const dialog = h(
    "dialog",
    { class: "help-box manage-box", "aria-label": title, onclose: () => dialog.remove() },
    h("h2", {}, title),
    ...parts,
  );
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
};

const nameOf = ({ title }) => (title === "" ? "New conversation" : title);
