/** The commands as Discord gets them: each word, option and translation, in their order. */

import { expect, it } from "vitest";
import { registerCommands } from "../../../../adapters/discord/receive/commands.ts";
import { chatCommands } from "../../../../src/app/commands.ts";

it("the payload of the registration is as recorded", async () => {
  const sent: unknown[] = [];
  const note = new Map<string, string>();
  await registerCommands(
    {
      calls: {
        call: (method, path, { body } = {}) => {
          sent.push({ method, path, body });
          return Promise.resolve(null);
        },
        paced: () => Promise.reject(new Error("a command has no pace")),
        close: () => undefined,
      },
      notes: {
        note: (name) => note.get(name) ?? null,
        setNote: (name, value) => {
          note.set(name, value);
          return Promise.resolve({ kind: "done" });
        },
      },
      log: { info: fail, warn: fail, error: fail },
    },
    chatCommands.menu,
    "1".repeat(18),
    null,
  );
  expect(sent).toMatchSnapshot();
});

const fail = (message: string): void => {
  throw new Error(message);
};
