/** Everything that may be wrong with a prompt before the model would see it. */

import type { ContentBlockParam, MessageCreateParams } from "@anthropic-ai/sdk/resources/messages/messages";
import type { ValidateFunction } from "ajv";
import { imageProblem } from "./images.ts";
import type { FakeModel } from "./models.ts";
import { type PrefixBlock, type PromptBody, prefixOf, promptTokens } from "./prefix.ts";
import { invalidRequest, type Problem } from "./problem.ts";
import { ruleFault } from "./rules.ts";
import { complaintOf } from "../shared/complaint.ts";
import type { WireSchema } from "./schema.ts";

export type Validated<Body> =
  | {
      readonly kind: "valid";
      readonly body: Body;
      readonly blocks: readonly PrefixBlock[];
      readonly model: FakeModel;
    }
  /** The program under test broke a rule of the API. */
  | { readonly kind: "violation"; readonly problem: Problem }
  /** Something a correct program may run into: an unknown model, a prompt over the window. */
  | { readonly kind: "refused"; readonly problem: Problem };

export interface ValidateContext {
  readonly schema: WireSchema;
  readonly models: readonly FakeModel[];
  readonly isPaused: (content: readonly ContentBlockParam[]) => boolean;
}

export const validateCreate = (
  context: ValidateContext,
  body: unknown,
): Promise<Validated<MessageCreateParams>> =>
  isStreaming(body)
    ? validate(context, body, context.schema.MessageCreateParamsStreaming)
    : validate(context, body, context.schema.MessageCreateParamsNonStreaming);

export const validateCount = (context: ValidateContext, body: unknown): Promise<Validated<PromptBody>> =>
  validate(context, body, context.schema.MessageCountTokensParams);

const isStreaming = (body: unknown): boolean =>
  typeof body === "object" && body !== null && "stream" in body && body.stream === true;

const validate = async <Body extends PromptBody>(
  context: ValidateContext,
  body: unknown,
  fits: ValidateFunction<Body>,
): Promise<Validated<Body>> => {
  if (typeof body !== "object" || body === null) {
    return violation("the request body is not a JSON object");
  }
  const sampling = ["temperature", "top_p", "top_k"].find((name) => name in body);
  if (sampling !== undefined) {
    return violation(`${sampling}: no longer accepted by this API version`);
  }
  if (!fits(body)) {
    return violation(complaintOf(fits.errors));
  }
  const model = context.models.find((one) => one.id === body.model);
  if (model === undefined) {
    return {
      kind: "refused",
      problem: { status: 404, type: "not_found_error", message: `model: ${body.model}` },
    };
  }
  const blocks = prefixOf(body);
  const fault = ruleFault({ body, blocks, model, isPaused: context.isPaused });
  if (fault !== undefined) {
    return violation(fault);
  }
  const unfit = await imageProblem(body.messages, model);
  if (unfit !== undefined) {
    return { kind: "violation", problem: unfit };
  }
  const tokens = promptTokens(blocks);
  return tokens > model.window
    ? {
        kind: "refused",
        problem: invalidRequest(`prompt is too long: ${tokens} tokens > ${model.window} maximum`),
      }
    : { kind: "valid", body, blocks, model };
};

const violation = (message: string): Extract<Validated<never>, { kind: "violation" }> => ({
  kind: "violation",
  problem: invalidRequest(message),
});
