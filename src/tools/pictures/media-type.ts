/** What a file is: pictures by their bytes, text by its bytes and its name, anything else as bytes. Pure. */
import { isUtf8 } from "node:buffer";
import { extname } from "node:path/posix";
import { readHeader } from "./header.ts";

export const mediaTypeOf = (name: string, bytes: Buffer): string => {
  const header = readHeader(bytes);
  if (header.kind === "picture") return header.mediaType;
  const isText = isUtf8(bytes) && !bytes.includes(0);
  return isText ? (TEXTS[extname(name).toLowerCase()] ?? "text/plain") : "application/octet-stream";
};

/** Never one that a browser would run. */
const TEXTS: Readonly<Record<string, string>> = {
  ".csv": "text/csv",
  ".diff": "text/x-diff",
  ".json": "application/json",
  ".md": "text/markdown",
  ".patch": "text/x-diff",
};
