/**
 * The parts of git's smart HTTP protocol (version 0) that a push of one branch needs: the list of refs, the
 * request, and the report. Pure. Four hexadecimal digits before each line give its length, including the
 * digits; 0000 ends a part.
 */

import type { PushedBranch } from "../ports/forge-writer.ts";
import { errorTextOf } from "./ask.ts";

export interface AdvertisedRefs {
  /** Commits by branch name. */
  readonly branches: ReadonlyMap<string, string>;
  readonly capabilities: readonly string[];
}

const HEADS = "refs/heads/";
const ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Null if the body is not a list of refs for a push. */
export const advertised = (body: Uint8Array): AdvertisedRefs | null => {
  const lines = linesIn(body);
  if (lines?.[0]?.trimEnd() !== "# service=git-receive-pack") return null;
  const branches = new Map<string, string>();
  let capabilities: readonly string[] = [];
  for (const line of lines.slice(1)) {
    const [ref = "", offered] = line.trimEnd().split("\0");
    if (offered !== undefined) capabilities = offered.split(" ").filter((one) => one !== "");
    const id = ref.slice(0, ref.indexOf(" "));
    const name = ref.slice(id.length + 1);
    if (!ID.test(id)) return null;
    if (name.startsWith(HEADS)) branches.set(name.slice(HEADS.length), id);
  }
  return { branches, capabilities };
};

/** One command without sideband, followed by the pack. */
export const pushRequest = (
  { branch, from, to, pack }: PushedBranch,
  { capabilities }: AdvertisedRefs,
): Uint8Array<ArrayBuffer> => {
  const format = capabilities.find((one) => one.startsWith("object-format="));
  const wanted = ["report-status", ...(format === undefined ? [] : [format]), "agent=parley"].join(" ");
  const command = `${from ?? "0".repeat(to.length)} ${to} ${HEADS}${branch}\0 ${wanted}`;
  return Buffer.concat([Buffer.from(`${framed(command)}0000`), pack]);
};

/** One sentence with the remote's objection; null if the remote accepted the branch. */
export const reportOf = (body: Uint8Array, branch: string): string | null => {
  const lines = (linesIn(body) ?? []).map((line) => line.trimEnd());
  const unpacked = lines.find((line) => line.startsWith("unpack "));
  if (unpacked === undefined) return "it gave no report.";
  if (unpacked !== "unpack ok") return `it could not read the commit (${errorTextOf(unpacked.slice(7))}).`;
  const ref = `${HEADS}${branch}`;
  if (lines.includes(`ok ${ref}`)) return null;
  const reason = lines.find((line) => line.startsWith(`ng ${ref}`))?.slice(`ng ${ref}`.length) ?? "";
  if (/protected branch|GH006|rule violations|hook declined/i.test(reason)) {
    return `a rule of the repository protects it (${errorTextOf(reason)}). Somebody who administers the repository can allow branches that begin with parley/.`;
  }
  return /fetch first|non-fast-forward|stale info|failed to (?:lock|update)|cannot lock|already exists/i.test(
    reason,
  )
    ? "somebody else has pushed to it meanwhile; nothing was pushed over it."
    : `${errorTextOf(reason) || "no reason was given"}.`;
};

const framed = (line: string): string =>
  `${(Buffer.byteLength(line) + 4).toString(16).padStart(4, "0")}${line}`;

/** Lines of all parts; null if the framing is invalid. */
const linesIn = (body: Uint8Array): readonly string[] | null => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const digits = bytes.toString("latin1", at, at + 4);
    if (!/^[0-9a-f]{4}$/i.test(digits)) return null;
    const length = Number.parseInt(digits, 16);
    if (length === 0) {
      at += 4;
      continue;
    }
    if (length < 4 || at + length > bytes.length) return null;
    lines.push(bytes.toString("utf8", at + 4, at + length));
    at += length;
  }
  return lines;
};
