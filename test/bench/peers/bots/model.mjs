/** The answer to a question, as it comes. */

import Anthropic from "@anthropic-ai/sdk";

const { url, apiKey } = JSON.parse(process.env.MODEL ?? "{}");
const client = new Anthropic({ apiKey, baseURL: url });

export async function* answer(question) {
  const stream = client.messages.stream({
    model: "claude-sonnet-5-5",
    max_tokens: 16_000,
    messages: [{ role: "user", content: question }],
  });
  for await (const event of stream) {
    if (event.type === "content_block_delta" && event.delta.type === "text_delta") yield event.delta.text;
  }
}
