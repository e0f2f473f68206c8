/** The common part of boards: a title, and below it the host's response or its error. */

import type { HostAnswer } from "./api.ts";
import { type Child, h, redraw } from "./dom.ts";

interface Board<T> {
  readonly title: string;
  read(): Promise<HostAnswer<T>>;
  /** `again`: reads once more. */
  parts(data: T, again: () => void): readonly Child[];
}

/**
 * `head`: permanent content between the title and the response. `show` reads once more. `anew`: redraws even
 * equal content, because its actions may differ.
 */
export const createBoard = <T>({ title, read, parts }: Board<T>, ...head: readonly Child[]) => {
  const told = h("div.stack.parts");
  let asked = 0;
  const show = async (anew = true): Promise<void> => {
    const no = ++asked;
    const answer = await read();
    // A newer read may have started in between.
    if (no !== asked) return;
    const failed = answer.kind === "ok" ? null : h("p", { role: "alert" }, answer.message);
    redraw(told, answer.kind === "ok" ? parts(answer.data, () => void show()) : failed, anew);
  };
  void show();
  return { view: h("section.stack.board", { "aria-label": title }, h("h1", title), head, told), show };
};

/** Loads the stylesheet of a feature's module, once. */
export const addStyles = (address: URL): void => {
  const { href } = address;
  if (document.querySelector(`link[href="${href}"]`) === null)
    document.head.append(h("link", { rel: "stylesheet", href }));
};
