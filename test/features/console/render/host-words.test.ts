/** Names, codes and sentences from outside in the host's own lines of the page: one line, nothing hidden, nothing that marks up. */

import { expect, it } from "vitest";
import { marksIn } from "../../../../src/features/console/render/render-host.ts";
import { english } from "../../../../src/i18n/say.ts";
import { hidesNothing } from "../../../adapters/host-words.ts";

const marks = marksIn(english);

hidesNothing(marks, (text) => text);

it("two names that differ are written differently", () => {
  const names = ["src/auth.ts", "src/auth\u200b.ts", "src/\u3164auth.ts", "src/auth.ts ", "src/auth`.ts"];
  expect(new Set(names.map(marks.code)).size).toBe(names.length);
});
