/** Builds elements. Text is always set as text: nothing here parses HTML. */

type Tags = HTMLElementTagNameMap;

/** `on…` properties are listeners. True sets an attribute; false and null omit it. */
type Props = {
  readonly [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => unknown;
} & { readonly [name: string]: string | boolean | null | ((event: never) => unknown) };

export type Child = Node | string | null;

type Part = Props | Child | readonly Child[];

/**
 * `h("button.small", { onclick: act }, "Stop")`: tag and classes, optional properties, children. Null
 * children are skipped.
 */
export const h = <K extends keyof Tags>(name: K | `${K}.${string}`, ...parts: readonly Part[]): Tags[K] => {
  const [tag = "", ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length > 0) element.className = classes.join(" ");
  if (tag === "button") element.setAttribute("type", "button");
  for (const part of parts) {
    if (isProps(part)) for (const [key, value] of Object.entries(part)) setProp(element, key, value);
    else element.append(...[part].flat().filter((child) => child !== null));
  }
  return element as Tags[K];
};

export const each = <K extends keyof Tags, T>(
  name: K | `${K}.${string}`,
  all: readonly T[],
  make: (one: T) => Child,
): Tags[K] =>
  h(
    name,
    all.map((one) => make(one)),
  );

const isProps = (part: Part): part is Props =>
  typeof part === "object" && part !== null && !Array.isArray(part) && !(part instanceof Node);

const setProp = (element: HTMLElement, name: string, value: Props[string] | undefined): void => {
  if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
  else if (value === true) element.setAttribute(name, "");
  else if (typeof value === "string") element.setAttribute(name, value);
};

/** A row: a name, and one or several values below each other. Null rows are skipped. */
export type Pair = readonly [name: Child | readonly Child[], ...values: Child[]] | null;

export const pairs = (rows: readonly Pair[]) =>
  h(
    "dl.pairs",
    rows
      .filter((row) => row !== null)
      .map(([name, ...values]) =>
        h(
          "div",
          h("dt", name),
          values.map((value) => (value === null ? null : h("dd", value))),
        ),
      ),
  );

export const labelled = (text: Child, control: Child, tag: `label.${string}` = "label.stack") =>
  h(tag, h("span", text), control);

/** Opens a dialog that is removed when it closes. */
export const openDialog = (title: string, ...parts: readonly Part[]): HTMLDialogElement => {
  const dialog = h("dialog.panel.box", { "aria-label": title }, h("h2", title), ...parts);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
};

/**
 * Builds a form that displays an error below its fields. `submit` returns the error, or null if it succeeded.
 */
export const openForm = (
  name: `form.${string}` | "form",
  props: Props,
  submit: () => Promise<string | null>,
  ...parts: readonly Part[]
): HTMLFormElement => {
  const told = h("p", { role: "status" });
  const onsubmit = async (event: Event) => {
    event.preventDefault();
    if (form.ariaBusy === "true") return;
    form.ariaBusy = "true";
    told.textContent = await submit();
    form.ariaBusy = "false";
  };
  const form: HTMLFormElement = h(name, { ...props, onsubmit }, ...parts, told);
  return form;
};

const PATHS = {
  lock: ["M6 11h12v9H6z", "M9 11V8a3 3 0 0 1 6 0v3"],
  unlock: ["M6 11h12v9H6z", "M9 11V7.5a3 3 0 0 1 5.8-1"],
  plus: ["M12 5v14", "M5 12h14"],
  send: ["M12 19V6", "M6 11l6-6 6 6"],
  stop: ["M7 7h10v10H7z"],
  clip: ["M20 11.5l-8 8a5 5 0 0 1-7-7l8.5-8.5a3.3 3.3 0 0 1 4.7 4.7L9.7 17.2a1.7 1.7 0 0 1-2.4-2.4l7.5-7.5"],
  menu: ["M4 7h16", "M4 12h16", "M4 17h16"],
  chevron: ["M9 6l6 6-6 6"],
  terminal: ["M5 8l4 4-4 4", "M12 17h7"],
  file: ["M7 4h7l4 4v12H7z", "M14 4v4h4"],
  search: ["M11 5a6 6 0 1 0 0 12a6 6 0 0 0 0-12z", "M15.5 15.5L20 20"],
  eye: ["M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6z", "M12 10a2 2 0 1 0 0 4a2 2 0 0 0 0-4z"],
  thought: ["M6 6h12v9h-7l-4 4v-4H6z"],
  close: ["M6 6l12 12", "M18 6L6 18"],
  copy: ["M9 9h10v10H9z", "M5 15V5h10"],
  check: ["M5 12.5l4.5 4.5L19 7.5"],
  alert: ["M12 4l9 16H3z", "M12 10v4.5", "M12 17v.5"],
  branch: ["M7 5v14", "M17 5v3a4 4 0 0 1-4 4H7"],
  thumbUp: [
    "M7 11v9H4v-9z",
    "M7 11l4-7a2.2 2.2 0 0 1 2.2 2.6L12.5 10H18a2 2 0 0 1 2 2.4l-1.2 6a2 2 0 0 1-2 1.6H7",
  ],
  thumbDown: [
    "M7 13V4H4v9z",
    "M7 13l4 7a2.2 2.2 0 0 0 2.2-2.6L12.5 14H18a2 2 0 0 0 2-2.4l-1.2-6a2 2 0 0 0-2-1.6H7",
  ],
  more: [
    "M4 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0",
    "M11 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0",
    "M18 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0",
  ],
  boxOff: ["M5 5h14v14H5z"],
  boxOn: ["M5 5h14v14H5z", "M8.5 12.2l2.6 2.6 4.6-5.6"],
};

const SVG = "http://www.w3.org/2000/svg";

export type Icon = keyof typeof PATHS;

/** A line drawing of 1em, hidden from screen readers, because its button has a label. */
export const icon = (name: Icon): SVGElement => {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  for (const d of PATHS[name]) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
};

/** The line of an expandable entry: its icon, its verb, and more. */
export const foldLine = (mark: Icon, verb: string, ...parts: readonly Child[]): HTMLElement =>
  h(
    "summary.line",
    h("span.glyph", icon(mark)),
    h("span.verb", verb),
    parts,
    h("span.fold", icon("chevron")),
  );

const SHOWN = new WeakMap<HTMLElement, string>();

/**
 * Displays `view` in `slot`. An equal view is not redrawn, so that no button disappears during a click,
 * except with `anew`.
 */
export const redraw = (slot: HTMLElement, view: Child | readonly Child[], anew = false): void => {
  const fresh = h("div", view);
  const html = fresh.innerHTML;
  if (!anew && SHOWN.get(slot) === html) return;
  SHOWN.set(slot, html);
  slot.replaceChildren(...fresh.childNodes);
};

export const byId = (id: string): HTMLElement => {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`index.html has no #${id}`);
  return element;
};

let clearing: number | undefined;

export const announce = (text: string): void => {
  const region = byId("announce");
  region.textContent = text;
  clearTimeout(clearing);
  clearing = setTimeout(() => {
    region.textContent = "";
  }, 5_000);
};

export const toast = (text: string): void => {
  const shown = h("div.toast", text);
  byId("toasts").append(shown);
  setTimeout(() => shown.remove(), 7_000);
};
