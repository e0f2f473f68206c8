/**
 * `fetch` that lets go of what it has sent. The usual one keeps a body that is text until the answer is over, as text and
 * as bytes: an answer streams for minutes, and its request may hold a whole conversation.
 */

export const sendOnce: typeof fetch = (input, init) => {
  const body = init?.body;
  if (typeof body !== "string") return fetch(input, init);
  const bytes = new TextEncoder().encode(body);
  const headers = new Headers(init?.headers);
  // Else it would be sent in chunks, which not every server takes.
  headers.set("content-length", String(bytes.length));
  return fetch(input, { ...init, headers, body: ReadableStream.from([bytes]), duplex: "half" });
};
