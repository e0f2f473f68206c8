/**
 * What a person typed as a repository. Only its form is judged here; whether it exists is found out inside the
 * sandbox (D28: local paths are the console's own).
 */

import { isAbsolute } from "node:path";
import type { Repo } from "../../../src/ports/conversation.ts";

type RepoParse =
  | { readonly kind: "repo"; readonly repo: Repo }
  | { readonly kind: "unusable"; readonly message: string };

/** An absolute path, an https or ssh URL without credentials, or `user@host:path`. */
export const parseRepo = (typed: string): RepoParse => {
  const text = typed.trim();
  if (hasControl(text)) return unusable("A repository's name holds no control characters.");
  if (isAbsolute(text)) return { kind: "repo", repo: { kind: "path", location: text } };
  if (SCP_LIKE.test(text)) return { kind: "repo", repo: { kind: "url", location: text } };
  if (!URL.canParse(text)) return unusable(FORMS);
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "ssh:") return unusable(FORMS);
  const secret = url.password !== "" || (url.protocol === "https:" && url.username !== "");
  if (secret) return unusable("Leave user name and password out of the URL; the host has its own access.");
  return url.hostname === "" || url.hostname.startsWith("-")
    ? unusable(FORMS)
    : { kind: "repo", repo: { kind: "url", location: text } };
};

const FORMS = "Give an absolute path, an https:// or ssh:// URL, or user@host:path.";
const SCP_LIKE = /^[A-Za-z0-9_][\w.-]*@[A-Za-z0-9][A-Za-z0-9.-]*:[^-:\s][^\s]*$/;

const unusable = (message: string): RepoParse => ({ kind: "unusable", message });

const hasControl = (text: string): boolean => /\p{Cc}/u.test(text);
