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
  // Fetch sends a request itself only if it follows no redirect and belongs to no window. Fetch sends a copy of any other
  // request, which keeps the body.
  try {
    return await fetch(input, { ...init, headers, body, duplex: "half", redirect: "error", window: null });
  } catch (error) {
    if (isRedirect(error)) Object.assign(error.cause, { code: "REDIRECTED" });
    throw error;
  }
};

const isRedirect = (error: unknown): error is Error & { readonly cause: Error } =>
  error instanceof Error && error.cause instanceof Error && error.cause.message === "unexpected redirect";
