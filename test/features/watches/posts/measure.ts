/**
 * Measures the decision rule with a real model: `ANTHROPIC_API_KEY=… MODEL=NAME npx tsx test/features/watches/posts/measure.ts`
 * prints precision and recall for each half of the labeled posts. Tune the prompt with the open half only.
 */

import Anthropic from "@anthropic-ai/sdk";
import { LOOK_SYSTEM } from "../../../../src/features/watches/people/first-look-prompt.ts";
import { judgeAll } from "./judge.ts";
import { LABELED, scoreOf, scoreText } from "./labeled.ts";

const model = process.env["MODEL"] ?? "claude-haiku-4-5";
const client = new Anthropic();

const ask = async (text: string): Promise<string> => {
  const { content } = await client.messages.create({
    model,
    max_tokens: 300,
    system: LOOK_SYSTEM,
    messages: [{ role: "user", content: text }],
  });
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
};

for (const half of ["open", "held out"] as const) {
  const judged = await judgeAll(
    ask,
    LABELED.filter((one) => one.half === half),
  );
  console.log(`${half}: ${scoreText(scoreOf(judged))}`);
  for (const { text, label, decided } of judged)
    if (half === "open" && label !== decided) console.log(`  ${label}, not ${decided}: ${text}`);
}
