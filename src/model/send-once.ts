/** `fetch` keeps a text body until the answer is complete. A redirect fails, because a released body cannot be sent again. */

export const sendOnce: typeof fetch = async (input, init) => {
  const text = init?.body;
  if (typeof text !== "string") return await fetch(input, init);
  const bytes = new TextEncoder().encode(text);
  const headers = new Headers(init?.headers);
  // Without this header the body would be sent in chunks, which some servers refuse.
  headers.set("content-length", String(bytes.length));
  const body = ReadableStream.from([bytes]);
  // Fetch sends the request itself only if redirects are off and no window is set. Otherwise fetch sends a copy, which keeps
  // the body.
  try {
    return await fetch(input, { ...init, headers, body, duplex: "half", redirect: "error", window: null });
  } catch (error) {
    if (isRedirect(error)) Object.assign(error.cause, { code: "REDIRECTED" });
    throw error;
  }
};

const isRedirect = (error: unknown): error is Error & { readonly cause: Error } =>
  error instanceof Error && error.cause instanceof Error && error.cause.message === "unexpected redirect";
