/** Sub-agents on the page: a line each while they work, and the way to each when they have ended. */

import { expect, it } from "vitest";
import { render } from "../../../../src/features/console/render/render.ts";
import { stateNews } from "../../../../src/features/console/render/summary.ts";
import { english } from "../../../../src/i18n/say.ts";
import { ended, scene, statusWith, working } from "../../../adapters/agents.ts";
import { fresh } from "../../../machine/samples.ts";
import { conversationOf } from "../../../store/plain.ts";

it("the status says how many are done and what each does", () => {
  const news = stateNews(
    { conversation: conversationOf("c-1"), state: fresh() },
    statusWith(working),
    english,
  );
  expect(news.status?.agents).toMatchObject({ head: "1 of 3 sub-agents done · $0.05" });
  expect(news.status?.agents?.lines).toHaveLength(3);
});

it("those that have ended are listed with the way to each, beside what the model read", () => {
  const notices = { say: english, covers: "", sandboxNotice: null, modelNotice: null };
  const shown = render({ post: ended, ordinal: 1, revision: 1 }, { ...scene, ...notices });
  expect(shown).toMatchObject({
    title: "2 tasks",
    output: "the aggregate",
    agents: [
      { id: "c-1-e2-1", task: "Find the tests", outcome: "finished", finished: true, costUsd: 0.02 },
      { id: "c-1-e2-2", finished: false },
    ],
  });
});
