/** Boards of features, as the host lists them. The page reads the list before it draws anything. */

import { base } from "../base.ts";
import { h } from "../dom.ts";

interface Listed {
  readonly name: string;
  /** In English: `say.stored` has it in the page's language. */
  readonly title: string;
  /** Path of its module, which exports `board`. */
  readonly module: string;
  /** Name of the board at whose end it is a section. */
  readonly on?: string;
}

interface BoardModule {
  board(): HTMLElement;
}

const read = async (): Promise<readonly Listed[]> => {
  try {
    return await (await fetch(`${base}/page/boards.json`, { credentials: "same-origin" })).json();
  } catch {
    return [];
  }
};

const listed = await read();

export const boards: readonly Listed[] = listed.filter(({ on }) => on === undefined);

export const sectionsOn = (board: string): readonly HTMLElement[] =>
  listed.filter(({ on }) => on === board).map(featureBoard);

/** An empty section, until the module is loaded. */
export const featureBoard = ({ module }: Pick<Listed, "module">): HTMLElement => {
  const room = h("section.stack.board");
  void fill(room, `${base}${module}`);
  return room;
};

const fill = async (room: HTMLElement, module: string): Promise<void> => {
  const { board }: BoardModule = await import(module);
  // The person may have opened another view.
  if (room.isConnected) room.replaceWith(board());
};

/** Loads a stylesheet beside a feature's module, once. */
export const addStyles = (address: URL): void => {
  const { href } = address;
  if (document.querySelector(`link[href="${href}"]`) === null)
    document.head.append(h("link", { rel: "stylesheet", href }));
};
