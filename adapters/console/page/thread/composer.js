/** Where a person writes: the text, its pictures, Send and Stop, and what to do while the agent is busy. */

import { byId, h, icon } from "../dom.js";
import { keepDraft } from "./drafts.js";
import { createPictures, picturesOf } from "./pictures.js";

/**
 * `actions`: `send(message)`, `stop()`, `stopAndSend(message)`; `limits()` of pictures. A message is
 * `{text, images, previews, pictures}`.
 */
export const createComposer = (actions, limits) => {
  const pictures = createPictures(limits);
  let draftId = "new";

  const text = h("textarea", {
    id: "text",
    rows: "1",
    placeholder: "Ask a question, or ask for a change",
    "aria-label": "Message",
    "aria-describedby": "hint",
    enterkeyhint: "send",
    oninput: () => {
      grow();
      keepDraft(draftId, text.value);
    },
    onkeydown: (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      submit();
    },
    onpaste: (event) => {
      const files = picturesOf(event.clipboardData);
      if (files.length === 0) return;
      event.preventDefault();
      void pictures.add(files);
    },
  });
  const file = h("input", {
    type: "file",
    accept: "image/png,image/jpeg,image/gif,image/webp",
    multiple: true,
    hidden: true,
    onchange: () => {
      void pictures.add([...file.files]);
      file.value = "";
    },
  });
  const attach = h(
    "button",
    {
      type: "button",
      class: "ghost",
      "aria-label": "Attach pictures",
      title: "Attach pictures",
      onclick: () => file.click(),
    },
    icon("clip"),
  );
  const send = h(
    "button",
    { type: "submit", class: "primary round", "aria-label": "Send", title: "Send (Enter)" },
    icon("send"),
  );
  const busy = h("div", { class: "busy", role: "alert", hidden: true });
  const hint = h("span", { class: "hint", id: "hint" }, "Enter sends, Shift+Enter makes a line");
  const form = h(
    "form",
    {
      class: "composer",
      onsubmit: (event) => {
        event.preventDefault();
        submit();
      },
    },
    pictures.tray,
    text,
    h("div", { class: "tools" }, attach, file, hint, send),
  );

  const grow = () => {
    text.style.height = "auto";
    text.style.height = `${Math.min(text.scrollHeight, window.innerHeight * 0.4)}px`;
  };

  const take = () => {
    const taken = pictures.take();
    const message = {
      text: text.value,
      images: taken.map(({ mediaType, data }) => ({ mediaType, data })),
      previews: taken.map(({ preview }) => preview),
      pictures: taken,
    };
    set("");
    return message;
  };

  const set = (value) => {
    text.value = value;
    keepDraft(draftId, value);
    grow();
  };

  const submit = () => {
    if (text.value.trim() === "" && pictures.empty()) return;
    hideBusy();
    actions.send(take());
  };

  const hideBusy = () => {
    busy.hidden = true;
  };

  byId("scroll").addEventListener("dragover", (event) => event.preventDefault());
  for (const target of [byId("scroll"), form]) {
    target.addEventListener("drop", (event) => {
      const files = picturesOf(event.dataTransfer);
      if (files.length === 0) return;
      event.preventDefault();
      void pictures.add(files);
    });
  }

  return {
    form,
    busy,
    /** Another conversation's draft. */
    open: (id, value) => {
      draftId = id;
      hideBusy();
      text.value = value;
      grow();
    },
    focus: () => text.focus(),
    /** Puts a message that was not taken back into the field, unless something new has been typed. */
    giveBack: (message) => {
      if (text.value === "") set(message.text);
      if (pictures.empty()) pictures.put(message.pictures ?? []);
    },
    /** The agent is busy: says so, with both ways on (docs/design/ideas.md). */
    showBusy: (reason, canStop) => {
      busy.replaceChildren(
        h("span", {}, reason),
        ...(canStop
          ? [
              button("Stop", () => {
                hideBusy();
                actions.stop();
              }),
              button("Stop and send this", () => {
                hideBusy();
                actions.stopAndSend(take());
              }),
            ]
          : []),
      );
      busy.hidden = false;
    },
    hideBusy,
  };
};

const button = (label, act) => h("button", { type: "button", class: "small", onclick: act }, label);
