import type { MaskFile } from "../ports/host.ts";

import * as z from "zod";
import type { Millis } from "../machine/id.ts";

import { createProcess } from "../shell-risk/process.ts";

const MAX_BYTES = 8 * 1_048_576;
/** A file of the maximum size takes a second. */
const MAX_TIME: Millis = 15_000;

export const createMaskFile = (maxBytes = MAX_BYTES, maxTime = MAX_TIME): MaskFile => {
  const file = new URL("./file-mask-process.ts", import.meta.url);
  const searching = createProcess<Uint8Array, z.output<typeof answer>>({ file, answer, limitMs: maxTime });
  return async (bytes) => {
    if (bytes.length > maxBytes)
      return beyond(`a file is searched for keys and passwords first, up to ${maxBytes / 1_048_576} MB`);
    const asked = await searching.ask(bytes, NEVER);
    return asked.kind === "answer"
      ? { kind: "masked", ...asked.answer }
      : beyond(`it could not be searched for keys and passwords within ${maxTime / 1_000} s`);
  };
};

const beyond = (why: string) => ({ kind: "beyond", why }) as const;

const NEVER = new AbortController().signal;

const answer = z.object({ bytes: z.instanceof(Uint8Array), count: z.number() });
