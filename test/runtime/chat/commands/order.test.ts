/** The order in which commands are listed. */

import { expect, it } from "vitest";
import { createCommands } from "../../../../src/runtime/chat/commands/commands.ts";
import { defineCommand } from "../../../../src/runtime/chat/commands/define-command.ts";

const command = (name: string, next?: string) =>
  defineCommand({
    words: [name],
    options: [],
    read: () => null,
    rights: "everybody",
    help: { does: "How to work with Parley", ...(next === undefined ? {} : { before: { menu: next } }) },
    run: () => null,
  });

const listed = (...all: Parameters<typeof createCommands>[0]): readonly string[] =>
  createCommands(all).menu.map(({ name }) => name);

it("a command stands before one that is itself listed before another, whichever comes first", () => {
  const [a, b, c, d] = [command("a"), command("b", "d"), command("c"), command("d", "c")];
  expect(listed(a, b, c, d)).toEqual(["a", "b", "d", "c"]);
  expect(listed(d, c, b, a)).toEqual(["b", "d", "c", "a"]);
});

it("it keeps its place if that one is missing", () => {
  expect(listed(command("a", "gone"), command("b"))).toEqual(["a", "b"]);
});
