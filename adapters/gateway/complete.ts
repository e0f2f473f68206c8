/** POST /v1/chat/completions: the last user message is said in the session, and the turn is its answer. */

import type { ConversationId } from "../../src/machine/id.ts";
import { countMasked, createLiveMask, maskSecrets } from "../../src/text/secrets/known-forms.ts";
import { maskedText } from "../../src/thread/wording.ts";
import { chunk, completion, type Named } from "./answer.ts";
import { approvalError, problemOf, settleQuestion } from "./approval.ts";
import type { GatewayDeps } from "./deps.ts";
import { errorBody, failure, type Problem, refusal } from "./failure.ts";
import { chatRequest, lastSaid, readBody, sessionOf } from "./request.ts";
import { openSession } from "./sessions.ts";
import { takeTurn, type TurnHooks, type TurnResult } from "./turn.ts";
import type { ImageRef } from "../../src/thread/prompt.ts";
import { english } from "../../src/words/say.ts";

export const complete = async (deps: GatewayDeps, request: Request): Promise<Response> => {
  const body = await readBody(request, deps, chatRequest);
  const { model, stream } = body;
  if (!deps.models.includes(model)) {
    const message = `There is no model ${model}. The models are ${deps.models.join(", ")}.`;
    throw refusal({ status: 404, code: "model_not_found", message });
  }
  const said = lastSaid(body);
  const session = sessionOf(request.headers) ?? deps.randomId();
  const conversation = await openSession(deps, session);
  const claim = {
    surface: "gateway",
    id: deps.randomId(),
    conversation,
    speaker: deps.client,
    text: said.text,
    images: await takePictures(deps, session, conversation, said.pictures),
  };
  const talk: Talk = {
    deps,
    session,
    conversation,
    named: { id: `chatcmpl-${deps.randomId()}`, created: Math.floor(Date.now() / 1_000), model },
    take: async (hooks) => masked(await takeTurn(deps.bot, conversation, () => deps.bot.say(claim), hooks)),
  };
  if (stream === true) return streamed(talk, request.signal);
  const result = await talk.take({ onText: () => undefined, signal: request.signal });
  return result.kind === "answered"
    ? Response.json(completion(talk.named, result), { headers: { "x-session-id": session } })
    : failure(await outcomeOf(talk, result), session);
};

interface Talk {
  readonly deps: GatewayDeps;
  readonly session: string;
  readonly conversation: ConversationId;
  readonly named: Named;
  readonly take: (hooks: TurnHooks) => Promise<TurnResult>;
}

/** As on every surface that others read; where something is masked the host says so. */
const masked = (result: TurnResult): TurnResult => {
  if (result.kind !== "answered") return result;
  const text = maskSecrets(result.text);
  const count = countMasked(text);
  return count === 0 ? result : { ...result, text: `${text}\n\n[${maskedText(count, english)}]` };
};

/**
 * Server-sent events from the first text on. What goes wrong before is an HTTP error, as without a stream; what goes
 * wrong later is an event of its own, which clients throw.
 */
const streamed = async (talk: Talk, asked: AbortSignal): Promise<Response> => {
  const gone = new AbortController();
  const first = Promise.withResolvers<void>();
  const { readable, writable } = new TextEncoderStream();
  const writer = writable.getWriter();
  const leave = (): void => gone.abort();
  writer.closed.catch(leave);
  const send = (line: string): void => void writer.write(`data: ${line}\n\n`).catch(leave);
  const out = createChunks(talk.named, (data) => {
    send(JSON.stringify(data));
    first.resolve();
  });
  const mask = createLiveMask();
  const signal = AbortSignal.any([asked, gone.signal]);
  const taken = talk.take({ onText: (text) => out.write(mask.next(text)), signal });
  const early = await Promise.race([taken, first.promise]);
  if (early !== undefined && early.kind !== "answered" && !out.hasBegun())
    return failure(await outcomeOf(talk, early), talk.session);

  const end = async (): Promise<void> => {
    const result = await taken;
    if (result.kind === "answered") out.end(result);
    else send(JSON.stringify(errorBody(await outcomeOf(talk, result))));
    send("[DONE]");
    await writer.close().catch(leave);
  };
  void end().catch((error: unknown) => writer.abort(error));
  const type = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" };
  return new Response(readable, { headers: { "x-session-id": talk.session, ...type } });
};

/** The answer in pieces, from its text so far. An attempt that failed is followed by another text: nothing can be unsaid. */
const createChunks = (named: Named, send: (data: unknown) => void) => {
  let sent = "";
  const write = (text: string, isWhole: boolean): void => {
    if (!isWhole && sent.startsWith(text)) return;
    const content = text.startsWith(sent) ? text.slice(sent.length) : `${AGAIN}${text}`;
    if (sent === "" && content !== "") send(chunk(named, { role: "assistant", content: "" }));
    if (content !== "") send(chunk(named, { content }));
    sent = text;
  };
  return {
    hasBegun: () => sent !== "",
    write: (text: string) => write(text, false),
    end: (result: TurnResult & { readonly kind: "answered" }) => {
      write(result.text, true);
      send(chunk(named, sent === "" ? { role: "assistant", content: "" } : {}, result));
    },
  };
};

const AGAIN = "\n\n[The answer was interrupted and begins again.]\n\n";

const outcomeOf = async (
  { deps, session, conversation }: Talk,
  result: Exclude<TurnResult, { readonly kind: "answered" }>,
): Promise<Problem> => {
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
  return detail === null ? problemOf(result) : approvalError(deps, session, detail);
};

/** Pictures in a message's content (BED-013). They come as data: URLs: this host fetches no address that a request names. */
const MOST_PICTURES = 8;

/** All of them, in order; the first that cannot be taken ends the request. */
const takePictures = async (
  deps: Pick<GatewayDeps, "takePicture">,
  session: string,
  conversation: ConversationId,
  urls: readonly string[],
): Promise<readonly ImageRef[]> => {
  const bad = (message: string) => refusal({ status: 400, code: "invalid_image", message }, session);
  const unavailable = (message: string) =>
    refusal({ status: 503, code: "pictures_unavailable", message }, session);
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

/** Of a data: URL with base64; else what to do instead. */
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

/** UTF-16 code units before the comma. */
const LONGEST_HEAD = 200;
