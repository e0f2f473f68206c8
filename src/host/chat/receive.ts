/** Files that people sent, from wherever a platform serves them: never more than was asked for, never a redirect. */

import type { Fetched, Receive } from "../../ports/chat.ts";

/** Milliseconds for one file. */
const PATIENCE = 60_000;

export const receive: Receive = async (file, most, { service, isOurs, headers, refusal }) => {
  if (file.size > most) return tooLarge(most);
  if (!isOurs) return refused(`it is not kept by ${service}`);
  try {
    const answer = await fetch(file.url, {
      headers,
      redirect: "error",
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (!answer.ok) return refused(`${service} answered ${answer.status}`);
    const why = refusal(answer.headers);
    if (why === null) return await take(answer, most);
    await answer.body?.cancel();
    return refused(why);
  } catch (error) {
    return refused(error instanceof Error ? `it did not arrive (${error.name})` : "it did not arrive");
  }
};

/** Reads no more than `most`, whatever the length says. */
const take = async (answer: Response, most: number): Promise<Fetched> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > most) return tooLarge(most);
    chunks.push(chunk);
  }
  return { kind: "bytes", bytes: Buffer.concat(chunks) };
};

const tooLarge = (most: number): Fetched =>
  refused(
    most < 1_048_576
      ? `it is larger than ${Math.round(most / 1_024)} KB`
      : `it is larger than ${Math.round(most / 1_048_576)} MB`,
  );

const refused = (why: string): Fetched => ({ kind: "refused", why });
