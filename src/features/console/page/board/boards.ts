/** Boards and dialogs of features. The page reads the list from the host before it draws anything. */

import { base } from "../../../../../adapters/page/base.ts";
import { h } from "../../../../../adapters/page/dom.ts";

interface Listed {
  readonly name: string;
  /** Title in English; `say.stored` translates it. */
  readonly title: string;
  /** Path of the board's module, which exports `board`, or `open` for a dialog. */
  readonly module: string;
  /** Figure whose click opens the dialog. */
  readonly from?: "cost";
  /** Name of the board that contains this board as a section at its end. */
  readonly on?: string;
}

interface BoardModule {
  board(): HTMLElement;
}

interface DialogModule {
  open(): Promise<void>;
}

const read = async (): Promise<readonly Listed[]> => {
  try {
    return await (await fetch(`${base}/page/boards.json`, { credentials: "same-origin" })).json();
  } catch {
    return [];
  }
};

const listed = await read();

/** Boards that have an address. */
export const boards: readonly Listed[] = listed.filter(
  ({ from, on }) => from === undefined && on === undefined,
);

export const sectionsOn = (board: string): readonly HTMLElement[] =>
  listed.filter(({ on }) => on === board).map(featureBoard);

const dialogOf = (one: Listed | undefined) => {
  if (one === undefined) return null;
  const open = async (): Promise<void> => {
    const dialog: DialogModule = await import(`${base}${one.module}`);
    await dialog.open();
  };
  return { title: one.title, open };
};

/** Dialog behind a conversation's cost; null if there is none. */
export const costDialog = dialogOf(listed.find(({ from }) => from === "cost"));

/** A section that stays empty until the module is loaded. */
export const featureBoard = ({ module }: Pick<Listed, "module">): HTMLElement => {
  const room = h("section.stack.board");
  void fill(room, `${base}${module}`);
  return room;
};

const fill = async (room: HTMLElement, module: string): Promise<void> => {
  const { board }: BoardModule = await import(module);
  // Meanwhile the person may have opened another view.
  if (room.isConnected) room.replaceWith(board());
};
