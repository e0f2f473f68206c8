/** A week of questions behind the console: two topics, one of which lacks a page. */

import { weekOf } from "../../../src/features/digest/week.ts";
import { insertAsked } from "../../store/asked.ts";
import { openGrouped } from "../../store/kit.ts";

export const openWeek = () => {
  const { direct, db, ...ports } = openGrouped();
  const asked = insertAsked(db);
  const at = Date.parse(`${weekOf(Date.now())}T00:00:01Z`);
  const questions = [
    { question: "How are webhooks retried?", answer: { cited: ["src/hooks.ts"], cost: 120_000 } },
    { question: "webhook retry delay", answer: { cited: ["src/hooks.ts", "src/queue.ts"], cost: 80_000 } },
    {
      question: "Do webhooks retry for ever?",
      answer: { cited: ["src/hooks.ts"], cost: 50_000 },
      place: "CHELP",
    },
    { question: '=HYPERLINK("https://evil.example") login, please', answer: null },
    {
      question: "Where is the login page?",
      answer: { cited: ["docs/login.md"], cost: 10_000, standing: "changed" },
    },
    { question: "What is the licence?", answer: { cited: ["README.md"], cost: 10_000 } },
  ] as const;
  for (const [n, one] of questions.entries()) asked({ n, at: at + n, asker: `slack:U${n}`, ...one });
  const first = { conversation: "c-0", message: "m-0-ended", at, click: "1" } as const;
  direct.feedback.explain({ ...first, person: "slack:U8" }, "+It says nothing of the <delay>");
  direct.feedback.vote({ ...first, conversation: "c-4", message: "m-4-ended", person: "slack:U8" }, "up");
  return { ...ports, figures: direct.figures, db };
};
