/** A model behind the language-model interface of the providers' packages. */

import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import type { ModelRequest } from "../../ports/model.ts";
import type { ProviderClient } from "../../model/attempt.ts";
import { isOfPictures, oldestOf, sentPictures } from "../../model/drop-pictures.ts";
import { loadPictures, type LoadedPictures, picturesOf } from "../../model/images.ts";
import type { ConfiguredModel, WireDeps } from "../../model/provider.ts";
import type { OpenedModel } from "./opener.ts";
import { isFiltered, isLocked, NoCredentials, sdkComplaint, sdkFacts, sdkFailure } from "./sdk-failure.ts";
import { sdkPrompt, type ModelAbilities } from "./sdk-prompt.ts";
import { eventsOf } from "./stream-parts.ts";

export const providerWire = (model: ConfiguredModel, opened: OpenedModel, deps: WireDeps): ProviderClient => {
  const { context, blobs, log, maxTokens } = deps;
  const takes: ModelAbilities = {
    by: `${model.provider}/${model.name}`,
    tools: model.tools,
    pictures: model.pictures,
    wordsAfterResults: opened.wordsAfterResults,
    ids: opened.ids,
  };
  const refused = new Set<string>();

  const send = async (request: ModelRequest, signal: AbortSignal, requests = 1): Promise<Streamed> => {
    const pictures = model.pictures
      ? await loadPictures(
          request.messages.filter((one) => picturesOf(one).length > 0),
          blobs,
          (hash) => refused.has(hash),
          opened.pictures,
        )
      : new Map();
    const room = Math.min(maxTokens, request.maxTokens ?? maxTokens);
    const prompt = promptOf(request, takes, pictures, opened);
    try {
      const { stream } = await opened.sdk.doStream({
        maxOutputTokens: room,
        ...opened.options(room, prompt),
        prompt,
        includeRawChunks: opened.splice !== undefined,
        abortSignal: signal,
        ...toolsOf(request, model.tools),
      });
      return stream;
    } catch (error) {
      if (isFiltered(error)) return refusal();
      if (model.key === null && isLocked(error)) throw new NoCredentials();
      const isForThem = isOfPictures(sdkComplaint(error)) || sdkFailure(error, context, 0).kind === "context";
      const blamed = isForThem ? oldestOf(sentPictures(pictures), requests) : [];
      if (blamed.length === 0) throw error;
      // The pictures stay in the history, so every later request would be refused as well.
      for (const hash of blamed) refused.add(hash);
      log.warn("model: pictures refused by the provider, omitted", {
        model: request.model,
        pictures: blamed.length,
      });
      return send(request, signal, requests + 1);
    }
  };

  return {
    open: async (request, signal) => eventsOf(await send(request, signal), takes.by, opened.splice),
    thrown: (error, now) => sdkFailure(error, context, now),
    told: (error, now) => sdkFailure(error, context, now),
    facts: sdkFacts,
  };
};

type Streamed = AsyncIterable<LanguageModelV4StreamPart>;

const toolsOf = ({ prefix }: ModelRequest, takesTools: boolean): Pick<LanguageModelV4CallOptions, "tools"> =>
  prefix.tools.length === 0 || !takesTools
    ? {}
    : {
        tools: prefix.tools.map(({ name, description, inputSchema }) => ({
          type: "function",
          name,
          description,
          inputSchema: { ...inputSchema, type: "object" },
        })),
      };

const promptOf = (
  { prefix, messages }: ModelRequest,
  takes: ModelAbilities,
  pictures: LoadedPictures,
  { cachePoint }: OpenedModel,
): LanguageModelV4Message[] => {
  const said = sdkPrompt(messages, takes, pictures);
  const system: LanguageModelV4Message[] =
    prefix.system.trim() === "" ? [] : [{ role: "system", content: prefix.system }];
  if (cachePoint === null) return [...system, ...said];
  // Ends of this request and of the previous request.
  const ends = said.flatMap(({ role }, index) => {
    return role !== "assistant" && (said[index + 1]?.role ?? "assistant") === "assistant" ? [index] : [];
  });
  const marked = new Set(ends.slice(-2));
  return [
    ...system.map((one) => ({ ...one, providerOptions: cachePoint })),
    ...said.map((one, index) => (marked.has(index) ? { ...one, providerOptions: cachePoint } : one)),
  ];
};

const NOT_COUNTED = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 };

/** Answer to a request that a filter of the provider rejected. */
const refusal = async function* (): AsyncGenerator<LanguageModelV4StreamPart> {
  yield {
    type: "finish",
    finishReason: { unified: "content-filter", raw: "content_filter" },
    usage: { inputTokens: NOT_COUNTED, outputTokens: { total: 0, text: 0, reasoning: 0 } },
  };
};
