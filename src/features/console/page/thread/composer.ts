/** Composer: the text field, its files, and Send. */

import { byId, h, icon } from "../../../../../adapters/page/dom.ts";
import { keepDraft } from "./drafts.ts";
import { createPictureViews, type ChosenFile, type PictureLimits, filesOf } from "./pictures.ts";
import { say } from "../../../../../adapters/page/words.ts";

export interface TypedMessage {
  readonly text: string;
  readonly pictures: readonly ChosenFile[];
}

export type Composer = ReturnType<typeof createComposer>;

export const createComposer = (sendMessage: (message: TypedMessage) => void, limits: () => PictureLimits) => {
  const pictures = createPictureViews(limits);
  let draftId = "new";

  const text: HTMLTextAreaElement = h("textarea", {
    id: "text",
    rows: "1",
    dir: "auto",
    placeholder: say("Ask a question, or ask for a change"),
    "aria-label": say("Message"),
    "aria-describedby": "hint",
    enterkeyhint: isTouch() ? "enter" : "send",
    oninput: () => {
      grow();
      keepDraft(draftId, text.value);
    },
    onkeydown: (event) => {
      if (event.key !== "Enter" || event.shiftKey || composes(event)) return;
      // Touch keyboards have no Shift+Enter: Enter starts a new line, and the button sends.
      if (isTouch() && !event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      submit();
    },
    onpaste: (event) => {
      const files = filesOf(event.clipboardData);
      if (files.length === 0 || holdsText(event.clipboardData, files)) return;
      event.preventDefault();
      void pictures.add(files);
    },
  });
  const file: HTMLInputElement = h("input", {
    type: "file",
    multiple: true,
    hidden: true,
    onchange: () => {
      void pictures.add([...(file.files ?? [])]);
      file.value = "";
    },
  });
  const attach = h(
    "button.ghost",
    {
      "aria-label": say("Attach files"),
      title: say("Attach files"),
      onclick: () => file.click(),
    },
    icon("clip"),
  );
  const send = h(
    "button.primary.round",
    { type: "submit", "aria-label": say("Send"), title: say("Send (Enter)") },
    icon("send"),
  );
  const hint = h(
    "span.fine.hint",
    { id: "hint", hidden: isTouch() },
    say("Enter sends, Shift+Enter starts a new line"),
  );
  const form = h(
    "form.panel.composer",
    {
      onsubmit: (event) => {
        event.preventDefault();
        submit();
      },
    },
    pictures.tray,
    text,
    h("div.line.tools", attach, file, hint, send),
  );

  const grow = () => {
    text.style.height = "auto";
    text.style.height = `${Math.min(text.scrollHeight, window.innerHeight * 0.4)}px`;
  };

  const take = () => {
    const message = { text: text.value, pictures: pictures.take() };
    set("");
    return message;
  };

  const set = (value: string) => {
    text.value = value;
    keepDraft(draftId, value);
    grow();
  };

  const submit = () => {
    if (text.value.trim() === "" && pictures.empty()) return;
    sendMessage(take());
  };

  byId("scroll").addEventListener("dragover", (event) => event.preventDefault());
  for (const target of [byId("scroll"), form]) {
    target.addEventListener("drop", (event) => {
      const files = filesOf(event.dataTransfer);
      if (files.length === 0) return;
      event.preventDefault();
      void pictures.add(files);
    });
  }

  return {
    form,
    open: (id: string, value: string) => {
      draftId = id;
      text.value = value;
      grow();
    },
    focus: () => text.focus(),
    /** Puts a message back into the field, before any text that the person typed in the meantime. */
    giveBack: (message: TypedMessage) => {
      set([message.text, text.value].filter((part) => part !== "").join("\n"));
      pictures.put([...message.pictures, ...pictures.take()]);
    },
  };
};

/** Whether the device is used by touch. Only Enter starts a new line on a touch keyboard. */
const isTouch = (): boolean => matchMedia("(hover: none) and (pointer: coarse)").matches;

/**
 * Whether the key belongs to a composition. Safari sends the final Enter after the end of the composition; only the key code
 * 229 marks this Enter.
 */
const composes = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === COMPOSING;

const COMPOSING = 229;

/**
 * Whether the pasted text counts, and not the pasted picture. Spreadsheets and word processors add a picture of the text, but
 * the person wants the text. A file manager adds a file's name as text; in this case the picture counts.
 */
const holdsText = (data: DataTransfer | null, files: readonly File[]): boolean => {
  const text = data?.getData("text/plain").trim() ?? "";
  return text !== "" && !files.some(({ name }) => name === text);
};
