/** POST /v1/chat/completions: sends the last user message to the session, and responds with the turn's answer. */

import { createHash } from "node:crypto";
import type { ConversationId } from "../../machine/id.ts";
import { countMasks, maskSecrets } from "../../text/secrets/known-forms.ts";
import { maskedText } from "../../thread/wording.ts";
import { approvalError, approvalProblemOf, settleQuestion } from "./approval.ts";
import type { GatewayDeps } from "./deps.ts";
import { type RequestProblem, gatewayRefusal } from "./failure.ts";
import { chatRequest, digestOf, isRepeated, lastUserMessage, readGatewayBody, sessionOf } from "./request.ts";
import { PACE, respond } from "./respond.ts";
import { createGatewayTurns, type CompletionOutcome, type RunningTurn } from "./running.ts";
import { composeUserMessage } from "./user-message.ts";
import { unsupportedIn } from "./unsupported.ts";
import { openSession } from "./sessions.ts";
import { runTurn, type TurnResult } from "./turn.ts";
import type { SayResult } from "../../ports/bot.ts";
import type { ImageRef } from "../../thread/prompt.ts";
import { english } from "../../i18n/say.ts";

export type Complete = (request: Request) => Promise<Response>;

/** Created once per host, because this object keeps the running turns. */
export const createComplete = (deps: GatewayDeps): Complete => {
  const { clock, pace = PACE } = deps;
  const turns = createGatewayTurns(clock, pace.grace);
  const told = createTold();
  return async (request) => {
    const body = await readGatewayBody(request, deps, chatRequest);
    const { model } = body;
    if (!deps.models.includes(model)) {
      const message = `There is no model ${model}. The models are ${deps.models.join(", ")}.`;
      throw gatewayRefusal({ status: 404, code: "model_not_found", message, param: "model" });
    }
    const unsupported = unsupportedIn(body);
    if (unsupported !== null)
      throw gatewayRefusal({ status: 400, code: "unsupported_parameter", ...unsupported });
    const said = lastUserMessage(body);
    const named = sessionOf(request.headers);
    const digest = digestOf(body);
    const answering = { clock, pace, stream: body.stream === true };
    const repeated = (): RunningTurn | null => turns.repeated(named, digest, isRepeated(request.headers));
    const first = repeated();
    if (first !== null) return respond(answering, first, request.signal);

    const session = named ?? deps.randomId();
    const conversation = await openSession(deps, session);
    await turns.clear(conversation);
    const images = await takePictures(deps, session, conversation, said.pictures);
    const detail = await deps.bot.read(conversation);
    const since = repeated();
    if (since !== null) return respond(answering, since, request.signal);
    const claim = {
      surface: "gateway",
      id: deps.randomId(),
      conversation,
      speaker: deps.client,
      ...composeUserMessage(said, {
        isNew: detail?.state.turn.no === 0,
        isTold: told.has(conversation, said.system),
      }),
      images,
    };
    const say = async (): Promise<SayResult> => {
      const result = await deps.bot.say(claim);
      if (result.kind === "accepted") told.add(conversation, said.system);
      return result;
    };
    const talk: Talk = { deps, session, conversation };
    const running = turns.begin({
      session,
      conversation,
      digest,
      named: { id: `chatcmpl-${deps.randomId()}`, created: Math.floor(Date.now() / 1_000), model },
      take: async (hooks) => outcomeOf(talk, await runTurn(deps.bot, conversation, say, hooks)),
    });
    return respond(answering, running, request.signal);
  };
};

interface Talk {
  readonly deps: GatewayDeps;
  readonly session: string;
  readonly conversation: ConversationId;
}

/** Maximum number of sessions with a remembered system message. The oldest session gets its message again. */
const MOST_TOLD = 10_000;

/** Remembers the last system message of each conversation, because clients send the message with every request. */
const createTold = () => {
  const told = new Map<ConversationId, string>();
  return {
    has: (id: ConversationId, system: string): boolean => system === "" || told.get(id) === hashed(system),
    add: (id: ConversationId, system: string): void => {
      if (system === "") return;
      told.delete(id);
      told.set(id, hashed(system));
      const [oldest] = told.keys();
      if (told.size > MOST_TOLD && oldest !== undefined) told.delete(oldest);
    },
  };
};

const hashed = (system: string): string => createHash("sha256").update(system).digest("base64url");

/** Masks secrets as on every surface with other readers; the host adds the number of masked secrets. */
const masked = (result: TurnResult & { readonly kind: "answered" }): CompletionOutcome => {
  const text = maskSecrets(result.text);
  const count = countMasks(text);
  return count === 0 ? result : { ...result, text: `${text}\n\n[${maskedText(count, english)}]` };
};

const outcomeOf = async (talk: Talk, result: TurnResult): Promise<CompletionOutcome> =>
  result.kind === "answered" ? masked(result) : { kind: "problem", problem: await problemIn(talk, result) };

const problemIn = async (
  { deps, session, conversation }: Talk,
  result: Exclude<TurnResult, { readonly kind: "answered" }>,
): Promise<RequestProblem> => {
  if (result.kind === "asked") {
    const problem = approvalError(deps, session, result.detail);
    await settleQuestion(deps.bot, result.detail);
    return problem;
  }
  const waits =
    result.kind === "notTaken" &&
    result.result.kind === "refused" &&
    result.result.why === "awaiting_approval";
  const detail = waits ? await deps.bot.read(conversation) : null;
  return detail === null ? approvalProblemOf(result) : approvalError(deps, session, detail);
};

/**
 * Maximum number of pictures in a message (BED-013). Pictures must be data: URLs, because this host fetches no address from a
 * request.
 */
const MOST_PICTURES = 8;

/** Stores all pictures in order; throws at the first invalid picture. */
const takePictures = async (
  deps: Pick<GatewayDeps, "takePicture">,
  session: string,
  conversation: ConversationId,
  urls: readonly string[],
): Promise<readonly ImageRef[]> => {
  const bad = (message: string) => gatewayRefusal({ status: 400, code: "invalid_image", message }, session);
  const unavailable = (message: string) =>
    gatewayRefusal({ status: 503, code: "pictures_unavailable", message }, session);
  if (urls.length > MOST_PICTURES) throw bad(`A message takes at most ${MOST_PICTURES} pictures.`);
  const images: ImageRef[] = [];
  for (const [index, url] of urls.entries()) {
    const name = urls.length === 1 ? "The picture" : `Picture ${index + 1}`;
    const bytes = bytesOf(url);
    if (typeof bytes === "string") throw bad(`${name} was not taken: ${bytes}`);
    const taken = await deps.takePicture(conversation, bytes);
    switch (taken.kind) {
      case "taken":
        images.push(taken.image);
        break;
      case "refused":
        throw bad(`${name} was not taken: ${taken.why}.`);
      case "failed":
        throw unavailable(`${name} was not taken: ${taken.why}.`);
      case "unstored":
        throw unavailable(taken.failure.message);
    }
  }
  return images;
};

/** Bytes of a base64 data: URL; otherwise a sentence with the remedy. */
const bytesOf = (url: string): Buffer | string => {
  const comma = url.slice(0, LONGEST_HEAD).indexOf(",");
  if (!/^data:/i.test(url))
    return "send it as a data: URL (data:image/png;base64,…). Addresses are not fetched.";
  if (comma < 0 || !/;base64$/i.test(url.slice(0, comma))) return "its data: URL has to be in base64.";
  const data = url.slice(comma + 1);
  const bytes = Buffer.from(data, "base64");
  return bytes.length > 0 && bytes.toString("base64") === data
    ? bytes
    : "its data is base64 with its padding and nothing else.";
};

/** Maximum number of UTF-16 code units before the comma. */
const LONGEST_HEAD = 200;
