/** How a fake's own routes under `/__fake/` answer: what is not understood with 400 and the reason. */

import type { IncomingMessage, ServerResponse } from "node:http";

/** One request to such a route. */
export interface Asked {
  /** Method, noun and verb: `POST gates/open` of `POST /__fake/gates/NAME/open`. */
  readonly what: string;
  readonly name: string;
  readonly path: string;
  /** Empty where it is not given. */
  readonly query: (key: string) => string;
}

/** `answerTo`: null where there is no such route. */
export const answerControl = async (
  request: IncomingMessage,
  response: ServerResponse,
  answerTo: (asked: Asked) => Promise<object | null>,
): Promise<void> => {
  const asked = read(request);
  const answer = await answerTo(asked).then(
    (found) => found ?? { error: `unknown control: ${request.method} ${asked.path}` },
    (error: unknown) => ({ error: String(error) }),
  );
  response.writeHead("error" in answer ? 400 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify(answer));
};

const read = (request: IncomingMessage): Asked => {
  const url = new URL(request.url ?? "/", "http://fake");
  const [, , noun, name = "", verb] = url.pathname.split("/");
  return {
    what: `${request.method} ${noun}${verb === undefined ? "" : `/${verb}`}`,
    name,
    path: url.pathname,
    query: (key) => url.searchParams.get(key) ?? "",
  };
};
