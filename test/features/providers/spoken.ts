/** Each family of providers behind a server that says what a test wants it to say, on the wire. */

import type { ConfiguredModel } from "../../../src/model/provider.ts";
import { ask, request, routed, serve } from "../../model/harness.ts";
import { configure, FAMILIES } from "./families.ts";
import {
  bedrock,
  chat,
  gemini,
  responses,
  type Spoken,
  type WireFormat,
} from "../../fakes/providers/wires.ts";

const FORMATS: Readonly<Record<string, WireFormat>> = {
  "openai responses": responses,
  azure: responses,
  "openai chat completions": chat,
  gemini,
  vertex: gemini,
  bedrock,
  mistral: chat,
};

export const families = FAMILIES.flatMap((family) => {
  const format = FORMATS[family.family];
  return format === undefined ? [] : [{ family, format, named: family.family }];
});
export type Case = (typeof families)[number];

/** A server that gives these answers, one a request; what it was asked. */
export const spoken = (one: Case, ...answers: readonly (Spoken | Buffer)[]) => spokenAs(one, {}, ...answers);

export const spokenAs = async (
  { family, format }: Case,
  over: Partial<ConfiguredModel>,
  ...answers: readonly (Spoken | Buffer)[]
) => {
  const bodies: string[] = [];
  const url = await serve((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => {
      const answer = answers[bodies.length] ?? { end: null };
      bodies.push(Buffer.concat(parts).toString());
      response.writeHead(200, { "content-type": format.type });
      response.end(Buffer.isBuffer(answer) ? answer : format.write(answer));
    });
  });
  const configured = await configure(family, url, over);
  const { model, clock, blobs } = routed(configured);
  const name = configured.alias;
  return { model, clock, blobs, name, bodies, asked: () => ask(model, request(undefined, { model: name })) };
};
