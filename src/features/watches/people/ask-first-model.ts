/** Calls the first model once, without tools and outside of conversations. */

import { createHash } from "node:crypto";
import type { PricedModel } from "../../../ports/model.ts";
import type { MicroUsd } from "../../../ports/money.ts";
import { LOOK_SYSTEM } from "./first-look-prompt.ts";

/** Maximum length of an answer, in tokens. */
const LONGEST = 300;
/** Bytes per token, rather too few. */
const BYTES = 3;

export type FirstModelAnswer =
  | { readonly kind: "answered"; readonly text: string; readonly cost: MicroUsd }
  /** The provider may have charged the part before the end. */
  | { readonly kind: "failed" | "aborted"; readonly cost: MicroUsd };

export const askFirstModel = async (
  { model }: Pick<PricedModel, "model">,
  name: string,
  text: string,
  signal: AbortSignal,
): Promise<FirstModelAnswer> => {
  const outcome = await model.respond(
    {
      conversation: "c-first-look",
      model: name,
      prefix: PREFIX,
      messages: [{ role: "user", content: [{ kind: "text", text }] }],
      maxTokens: LONGEST,
    },
    { signal, onText: () => undefined },
  );
  const cost = outcome.usage?.costMicroUsd ?? 0;
  if (outcome.kind !== "answered") return { kind: outcome.kind, cost };
  const said = outcome.blocks.flatMap((block) => (block.kind === "text" ? [block.text] : []));
  return { kind: "answered", text: said.join(""), cost };
};

/** Returns the highest price of a request with so many bytes of text. */
export const priceOfLook = (
  { prices }: Pick<PricedModel, "prices">,
  name: string,
  bytes: number,
): MicroUsd => {
  const { input, cacheWrite, output } = prices(name);
  const tokens = Math.ceil((bytes + LOOK_SYSTEM.length) / BYTES);
  return Math.ceil(tokens * Math.max(input, cacheWrite) + LONGEST * output);
};

const PREFIX = {
  hash: createHash("sha256").update(LOOK_SYSTEM).digest("hex"),
  system: LOOK_SYSTEM,
  tools: [],
};
