/** The models that the fake serves. Windows: hazard M2; where it gives none, the value is this fake's own. */

import type { ModelInfo, ModelLine } from "@anthropic-ai/sdk/resources/models";

export interface FakeModel {
  readonly id: string;
  readonly line: ModelLine;
  /** Input window, tokens. */
  readonly window: number;
  /** Largest `max_tokens`. */
  readonly maxTokens: number;
  /** A prefix of fewer tokens is silently not cached; field reports say 512 to 4,096. */
  readonly cacheFloor: number;
  /** Whether a request may end with the beginning of the assistant's answer; no model from 5 on takes it. */
  readonly prefill: boolean;
}

export const fakeModels: readonly FakeModel[] = [
  fifth("claude-fable-5-2", "fable"),
  fifth("claude-opus-5-5", "opus"),
  fifth("claude-sonnet-5-5", "sonnet"),
  fifth("claude-haiku-5-5", "haiku"),
  fourth("claude-opus-4-5", "opus"),
  fourth("claude-sonnet-4-5", "sonnet"),
  fourth("claude-haiku-4-5", "haiku"),
];

const modelInfo = (model: FakeModel): ModelInfo => ({
  id: model.id,
  type: "model",
  display_name: model.id,
  created_at: "2026-01-01T00:00:00Z",
  deprecated_at: null,
  retires_at: null,
  lifecycle: "active",
  line: model.line,
  max_input_tokens: model.window,
  max_tokens: model.maxTokens,
  capabilities: null,
});

export interface ModelPage {
  readonly data: readonly ModelInfo[];
  readonly has_more: boolean;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

/** A page of `GET /v1/models`: at most `limit` (20) models after `after_id` or before `before_id`. */
export const modelPage = (
  models: readonly FakeModel[],
  query: Readonly<Record<string, string>>,
): ModelPage => {
  const ids = models.map((model) => model.id);
  const before = query["before_id"];
  const start = query["after_id"] === undefined ? 0 : ids.indexOf(query["after_id"]) + 1;
  const rest = models.slice(start, before === undefined ? undefined : ids.indexOf(before));
  const data = rest.slice(0, Number(query["limit"] ?? 20)).map(modelInfo);
  return {
    data,
    has_more: rest.length > data.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
};

function fifth(id: string, line: ModelLine): FakeModel {
  return { id, line, window: 1_000_000, maxTokens: 128_000, cacheFloor: 1024, prefill: false };
}

function fourth(id: string, line: ModelLine): FakeModel {
  return { id, line, window: 200_000, maxTokens: 64_000, cacheFloor: 4096, prefill: true };
}
