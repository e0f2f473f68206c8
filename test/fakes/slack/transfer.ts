/** What is not a Web API method: the bytes of files and the addresses for answers. */

import type { IncomingMessage } from "node:http";
import { type Reply, sendBytes, sendHalf, sendHtml, sendJson, sendText } from "../shared/answer.ts";
import { type Api, callerOf, withFault } from "./api.ts";
import type { Call } from "./call.ts";
import { bodyOf } from "./outcome.ts";
import { respond } from "./respond.ts";
import { fileWire } from "./wire.ts";

/** `POST /upload/ID` with the bytes, bare or as the one part of a form: exactly as many as were announced. */
export const serveUpload = (
  api: Api,
  reply: Reply,
  request: IncomingMessage,
  call: Call,
  body: Buffer,
): Promise<void> =>
  withFault(api, reply, call, async () => {
    const { world, violate, clock, times } = api.slack;
    const bytes = await contentOf(request, body);
    const file = world.files.get(lastPart(call));
    if (file === undefined) {
      return () => sendText(reply, 404, "no such upload");
    }
    if (file.bytes !== undefined || clock.now() - file.begun > times.uploadUrlLifetimeMs) {
      return () => sendText(reply, 410, "the upload is over");
    }
    if (bytes.length !== file.size) {
      violate(`upload of ${bytes.length} bytes where ${file.size} were announced`);
      return () => sendText(reply, 400, "length mismatch");
    }
    world.files.set(file.id, { ...file, bytes });
    return () => sendText(reply, 200, `OK - ${bytes.length}`);
  });

/**
 * `GET /files/ID/…`. Without the bot's token or the scope files:read, Slack answers 200 with its sign-in page or redirects to it,
 * and answers no error.
 */
export const serveDownload = (api: Api, reply: Reply, request: IncomingMessage, call: Call): Promise<void> =>
  withFault(api, reply, call, async () => {
    const file = api.slack.world.files.get(call.exchange.path.split("/")[2] ?? "");
    if (callerOf(api, request)?.kind !== "bot" || file?.answers === "page") {
      return () => sendHtml(reply, 200, "Sign in to Slack");
    }
    if (file?.answers === "redirect") {
      const location = `${api.slack.baseUrl}/?redir=${encodeURIComponent(call.exchange.path)}`;
      return () => sendHtml(reply, 302, "Sign in to Slack", { location, "x-slack-meta": "?;acl_fail" });
    }
    const bytes = file?.bytes;
    if (file === undefined || bytes === undefined) {
      return () => sendHtml(reply, 404, "File not found");
    }
    const type = String(fileWire(file, api.slack.baseUrl)["mimetype"]);
    if (file.answers === "half") {
      return () => sendHalf(reply, type, bytes);
    }
    return () => sendBytes(reply, type, bytes);
  });

/** `POST /response/ID`. */
export const serveResponse = (api: Api, reply: Reply, call: Call): Promise<void> =>
  withFault(api, reply, call, async () => {
    const outcome = respond(api.slack, lastPart(call), call.args);
    if (outcome.kind === "refused" && outcome.violation !== undefined) {
      api.slack.violate(`response_url: ${outcome.error}: ${outcome.violation}`);
    }
    const status = outcome.kind === "ok" ? 200 : outcome.error === "used_url" ? 404 : 400;
    return () => sendJson(reply, status, bodyOf(outcome));
  });

const contentOf = async (request: IncomingMessage, body: Buffer): Promise<Buffer> => {
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/")) {
    return body;
  }
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
  const [part = ""] = form.values();
  return typeof part === "string" ? Buffer.from(part) : Buffer.from(await part.arrayBuffer());
};

const lastPart = (call: Call): string => call.exchange.path.split("/").at(-1) ?? "";
