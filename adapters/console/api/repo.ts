/**
 * What a person typed as a repository. Only its form is judged here; whether it exists is found out inside the
 * sandbox (D28: local paths are the console's own).
 */

import { isAbsolute } from "node:path";
import type { Repo } from "../../../src/ports/conversation.ts";
import { bad } from "./problem.ts";

/** An absolute path, an https or ssh URL without credentials, or `user@host:path`; anything else ends the request. */
export const readRepo = (text: string): Repo => {
  if (/\p{Cc}/u.test(text)) throw unusable("A repository's name holds no control characters.");
  if (isAbsolute(text)) return { kind: "path", location: text };
  if (SCP_LIKE.test(text)) return { kind: "url", location: text };
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "ssh:")) throw unusable(FORMS);
  if (url.password !== "" || (url.protocol === "https:" && url.username !== ""))
    throw unusable("Leave user name and password out of the URL; the host has its own access.");
  if (url.hostname === "" || url.hostname.startsWith("-")) throw unusable(FORMS);
  return { kind: "url", location: text };
};

const FORMS = "Give an absolute path, an https:// or ssh:// URL, or user@host:path.";
const SCP_LIKE = /^[A-Za-z0-9_][\w.-]*@[A-Za-z0-9][A-Za-z0-9.-]*:[^-:\s][^\s]*$/;

const unusable = (message: string) => bad("unusable_repo", message);
