/**
 * `fetch` that lets go of what it has sent. The usual one keeps a body that is text until the answer is over, as text and
 * as bytes: an answer streams for minutes, and its request may hold a whole conversation. A redirect is an error with the
 * code `REDIRECTED`: a body that is gone cannot be sent again.
 */

export const sendOnce: typeof fetch = async (input, init) => {
  const text = init?.body;
  if (typeof text !== "string") return await fetch(input, init);
  const bytes = new TextEncoder().encode(text);
  const headers = new Headers(init?.headers);
  // Else it would be sent in chunks, which not every server takes.
  headers.set("content-length", String(bytes.length));
  const body = ReadableStream.from([bytes]);
  // Only a request that follows no redirect and belongs to no window is sent itself. Of any other a copy is sent, and the
  // request keeps the body.
  try {
    return await fetch(input, { ...init, headers, body, duplex: "half", redirect: "error", window: null });
  } catch (error) {
    throw isRedirect(error) ? Object.assign(new TypeError("redirected"), { code: "REDIRECTED" }) : error;
  }
};

const isRedirect = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Error && error.cause.message === "unexpected redirect";
