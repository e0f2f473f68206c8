import type { Usage } from "../../machine/vocabulary.ts";
import type { TurnResult } from "./turn.ts";

export interface CompletionHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

export const completion = (named: CompletionHead, result: TurnResult & { readonly kind: "answered" }) => ({
  ...named,
  object: "chat.completion",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: result.text, refusal: null },
      logprobs: null,
      finish_reason: result.finish,
    },
  ],
  usage: usageOf(result.usage),
});

/** The first chunk carries the role, the last chunk the reason and the usage. */
export const chunk = (
  named: CompletionHead,
  delta: { readonly role?: "assistant"; readonly content?: string },
  end: (TurnResult & { readonly kind: "answered" }) | null = null,
) => ({
  ...named,
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, logprobs: null, finish_reason: end === null ? null : end.finish }],
  ...(end === null ? {} : { usage: usageOf(end.usage) }),
});

const usageOf = ({ input, output, cacheRead, cacheWrite }: Usage) => {
  const prompt = input + cacheRead + cacheWrite;
  return { prompt_tokens: prompt, completion_tokens: output, total_tokens: prompt + output };
};
