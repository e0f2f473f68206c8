/** Rows 17 and 18: which attempt at the model it is, of how many, and how often it failed in the end, on the page. */

import { it } from "vitest";
import { render } from "../../../../src/features/console/render/render.ts";
import { stateNews } from "../../../../src/features/console/render/summary.ts";
import { english } from "../../../../src/i18n/say.ts";
import { ATTEMPTED, expectAttempts, expectEnd } from "../../../adapters/attempts.ts";
import { looks } from "../../../looks.ts";
import { conversationOf } from "../../../store/plain.ts";

const conversation = conversationOf("c-1");
const scene = {
  conversation,
  words: new Map(),
  looks,
  question: null,
  covers: "",
  say: english,
  sandboxNotice: null,
  modelNotice: null,
};

it.each(ATTEMPTED)("says of %s which attempt comes, and which one is under way", (...attempted) =>
  expectAttempts(
    (status, state) => stateNews({ conversation, state }, status, english).status?.text ?? "",
    attempted,
  ),
);

it("says in the end after how many attempts, and why; one that is not tried again says only why", () =>
  expectEnd((post) => JSON.stringify(render({ ordinal: 1, revision: 1, post }, scene))));
