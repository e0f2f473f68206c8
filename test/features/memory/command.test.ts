/** The words of `memory`, and those that only look like it. */

import { expect, it } from "vitest";
import { chatCommands } from "../../../src/app/commands.ts";

const PLAIN = { isAboutRepo: false, expires: null };

it.each([
  ["memory", { what: "list", from: 0 }],
  ["memory from 21", { what: "list", from: 21 }],
  ["memory add We deploy on Tuesdays.", { what: "add", text: "We deploy on Tuesdays.", ...PLAIN }],
  ["Memory ADD repo is frozen", { what: "add", text: "repo is frozen", ...PLAIN }],
  ["memory add repo: Use pnpm.", { what: "add", text: "Use pnpm.", isAboutRepo: true, expires: null }],
  [
    "memory add until 2026-12-24: `billing` is frozen",
    {
      what: "add",
      text: "`billing` is frozen",
      isAboutRepo: false,
      expires: Date.UTC(2026, 11, 24, 23, 59, 59),
    },
  ],
  ["memory add until 2026-99-99: x", { what: "add", text: "until 2026-99-99: x", ...PLAIN }],
  ["memory edit 3 We deploy on Mondays.", { what: "edit", number: 3, text: "We deploy on Mondays." }],
  ["memory edit 3: Mondays", { what: "edit", number: 3, text: "Mondays" }],
  ["memory remove 12", { what: "remove", number: 12 }],
  ["memory pin #4", { what: "pin", number: 4 }],
  ["memory unpin 4.", { what: "unpin", number: 4 }],
  ["memory remove all of it", { what: "unclear" }],
  ["memory edit 3", { what: "unclear" }],
  ["memory add", { what: "unclear" }],
])("%s", (text, asked) => {
  expect(chatCommands.parse(text)).toMatchObject({ order: { command: "memory", asked } });
});

it.each(["memory leaks in the worker, why?", "memory from the heap grows"])("%s is a message", (text) => {
  expect(chatCommands.parse(text)).toEqual({ kind: "message" });
});
