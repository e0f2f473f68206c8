/** Opens a configured model through its provider's SDK, which is loaded only if a model uses it. */

import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import { type PictureBounds, USUAL_BOUNDS } from "../../model/images.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";
import type { ConfiguredModel } from "../../model/provider.ts";
import { sendOnce } from "../../model/send-once.ts";
import { inUsualShape } from "./chat-shapes.ts";
import { budgetIn, effortOf, LEAST_THINKING, thinksAsItLikes } from "../../model/thinking.ts";
import type { ProviderName, ProviderVariable } from "./providers.ts";
import { bedrockSplice, geminiSplice, type Splice } from "./splice.ts";

export interface OpenedModel {
  readonly sdk: LanguageModelV4;
  /** Options of a request besides its messages. `room`: tokens for thoughts and answer together. */
  readonly options: (room: number, prompt: readonly LanguageModelV4Message[]) => Told;
  /** Marks the end of the part that the provider should cache; null if the provider caches automatically. */
  readonly cachePoint: SharedV4ProviderOptions | null;
  /** Whether a person's message may follow tool results. */
  readonly wordsAfterResults: boolean;
  /** Ids of calls that the provider accepts. */
  readonly ids: RegExp;
  readonly pictures: PictureBounds;
  /** Absent if the SDK or its `fetch` detects a second answer by id. */
  readonly splice?: Splice;
}

type Told = Pick<LanguageModelV4CallOptions, "providerOptions" | "reasoning" | "maxOutputTokens">;

interface OwnModel extends ConfiguredModel {
  readonly provider: ProviderName;
  readonly more: ConfiguredModel["more"] & Readonly<Partial<Record<ProviderVariable, string>>>;
}

/** Throws if the provider's package is missing, because some packages are not installed with Parley (docs/models.md). */
export const openModel = async (model: OwnModel): Promise<OpenedModel> => {
  const { name, thinking, more } = model;
  const apiKey = model.key ?? "none";
  const own = model.key ?? undefined;
  const address = {
    fetch: sendOnce,
    ...omitUndefined({ baseURL: model.address?.replace(/\/+$/, "") }),
  };
  const plain = {
    options: () => effort(thinking),
    cachePoint: null,
    wordsAfterResults: true,
    ids: /^[\w-]{1,40}$/,
    pictures: USUAL_BOUNDS,
  } as const;
  switch (model.provider) {
    case "openai":
    case "azure": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      const resource = `https://${more.AZURE_RESOURCE_NAME}.openai.azure.com/openai/v1`;
      const usual = model.provider === "azure" ? { baseURL: resource, headers: { "api-key": apiKey } } : {};
      const sdk = createOpenAI({ apiKey, ...usual, ...address }).responses(name);
      // The provider stores nothing, so every request returns the needed parts.
      const openai = { store: false, ...(thinking === null ? {} : { reasoningSummary: "auto" }) };
      return { ...plain, sdk, options: () => ({ providerOptions: { openai }, ...effort(thinking) }) };
    }
    case "google": {
      const { createGoogle } = await import("@ai-sdk/google");
      const sdk = createGoogle({ apiKey, ...address })(name);
      const options = (room: number) => ({ providerOptions: { google: thoughts(thinking, room) } });
      return { ...plain, sdk, options, pictures: GEMINI_BOUNDS, splice: geminiSplice };
    }
    case "vertex": {
      const { createGoogleVertex } = await import("@ai-sdk/google-vertex");
      const keyFilename = more.GOOGLE_APPLICATION_CREDENTIALS;
      const credentials = omitUndefined({
        apiKey: own,
        project: more.GOOGLE_VERTEX_PROJECT,
        location: more.GOOGLE_VERTEX_LOCATION,
        googleAuthOptions: keyFilename === undefined ? undefined : { keyFilename },
      });
      const sdk = createGoogleVertex({ ...credentials, ...address })(name);
      const options = (room: number) => {
        const google = thoughts(thinking, room);
        return { providerOptions: { google, vertex: google } };
      };
      return { ...plain, sdk, options, pictures: GEMINI_BOUNDS, splice: geminiSplice };
    }
    case "bedrock": {
      const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
      const credentials = omitUndefined({
        apiKey: own,
        region: more.AWS_REGION,
        accessKeyId: more.AWS_ACCESS_KEY_ID,
        secretAccessKey: more.AWS_SECRET_ACCESS_KEY,
        sessionToken: more.AWS_SESSION_TOKEN,
      });
      const sdk = createAmazonBedrock({ ...credentials, ...address })(name);
      const isMarked = model.caching && /claude|nova/.test(name);
      return {
        ...plain,
        sdk,
        ...(/claude/.test(name) ? { options: claudeThoughts(name, thinking) } : {}),
        cachePoint: isMarked ? { bedrock: { cachePoint: { type: "default" } } } : null,
        pictures: { ...USUAL_BOUNDS, most: 20 },
        splice: bedrockSplice,
      };
    }
    case "mistral": {
      const { createMistral } = await import("@ai-sdk/mistral");
      const sdk = createMistral({ apiKey, ...address, fetch: inUsualShape(sendOnce) })(name);
      const pictures = { ...USUAL_BOUNDS, most: 8 };
      return { ...plain, sdk, wordsAfterResults: false, ids: /^[a-zA-Z0-9]{9}$/, pictures };
    }
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const sdk = createOpenAICompatible({
        name: "compatible",
        baseURL: address.baseURL ?? "",
        ...omitUndefined({ apiKey: own }),
        includeUsage: true,
        fetch: inUsualShape(sendOnce),
      })(name);
      return { ...plain, sdk };
    }
  }
};

/** For providers with effort levels instead of tokens. */
const effort = (thinking: number | null): Pick<LanguageModelV4CallOptions, "reasoning"> =>
  thinking === null ? {} : { reasoning: effortOf(thinking) };

/** A request with its pictures may have 20 MB, in base64. */
const GEMINI_BOUNDS: PictureBounds = { ...USUAL_BOUNDS, bytes: 14 * 1024 * 1024 };
/** Maximum thinking budget; smaller models refuse more. */
const MOST_THOUGHTS = 24_576;

const thoughts = (budget: number | null, room: number) => {
  if (budget === null) return { thinkingConfig: {} };
  const thinkingBudget = Math.max(0, Math.min(budget, MOST_THOUGHTS, room - LEAST_THINKING));
  return { thinkingConfig: { thinkingBudget, includeThoughts: true } };
};

/** Same as in Anthropic's own client, except that the SDK adds the budget to the maximum length of the answer. */
const claudeThoughts =
  (name: string, thinking: number | null): OpenedModel["options"] =>
  (room, prompt) => {
    if (thinking === null) return {};
    if (thinksAsItLikes(name)) {
      const reasoningConfig = {
        type: "adaptive",
        display: "summarized",
        maxReasoningEffort: effortOf(thinking),
      };
      return { providerOptions: { bedrock: { reasoningConfig } } };
    }
    const last = prompt.findLast(({ role }) => role === "assistant");
    const parts = last?.role === "assistant" ? last.content : [];
    const budgetTokens = budgetIn(room, thinking, {
      calls: parts.some(({ type }) => type === "tool-call"),
      thought: parts[0]?.type === "reasoning",
    });
    if (budgetTokens === null) return {};
    const reasoningConfig = { type: "enabled", budgetTokens };
    return { providerOptions: { bedrock: { reasoningConfig } }, maxOutputTokens: room - budgetTokens };
  };
