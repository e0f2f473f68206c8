/**
 * AGENTS.md and the list of `.parley/skills` are read at the conversation's commit from the shared tree: edited checkouts have
 * no influence.
 */

import { lstat } from "node:fs/promises";
import { join } from "node:path";

import type { Guidance } from "../../ports/channels.ts";
import type { Conversation } from "../../ports/conversation.ts";
import { createLruCache } from "../../text/lru-cache.ts";
import { attemptLogged } from "../run/git-trouble.ts";
import { unwatched } from "../run/shared-work.ts";
import type { CheckoutParts } from "./parts.ts";
import { readRecord } from "./record.ts";
import type { Sandbox } from "../../../sandbox/types.ts";
import { SANDBOX_PATHS } from "../disk/layout.ts";
import { readFrom, runStep } from "../run/step.ts";

const FILE = "AGENTS.md";
/** Limits in bytes: guidance that the model receives, and a file that is read. */
const MAX_TOLD = 16 * 1024;
const MAX_FILE = 1024 * 1024;
const MAX_KEPT = 100;

/** `most`: limit in bytes, if lower than the usual limit. */
export type ReadGuidance = (
  conversation: Pick<Conversation, "id">,
  most?: number,
) => Promise<readonly Guidance[]>;

export const createGuidance = (world: CheckoutParts): ReadGuidance => {
  const kept = createLruCache<readonly Guidance[]>(MAX_KEPT);
  return async ({ id }, most = MAX_TOLD) => {
    const told = Math.min(most, MAX_TOLD);
    const what = "checkout: repository guidance not read";
    const looked = await attemptLogged(world.log, what, { conversation: id }, async () => {
      const workspace = await readRecord(world.layout, id);
      if (workspace === null) return [];
      const name = `${workspace.key}/${workspace.commit}/${told}`;
      const known = kept.get(name);
      if (known !== undefined) return known;
      const source = await world.trees.plain(workspace, unwatched());
      const at = { source, slot: workspace.slot };
      const got = await readFrom(world.sandbox, at, FILE, MAX_FILE);
      const own = got.kind === "file" ? guidanceIn(got.bytes, told) : null;
      const guidance = [own, await skillsIn(world.sandbox, at)].flatMap((one) => one ?? []);
      kept.set(name, guidance);
      return guidance;
    });
    return looked.kind === "done" ? looked.value : [];
  };
};

/** Returns whole lines up to the limit; null for an empty file. */
const guidanceIn = (bytes: Buffer, most: number): Guidance | null => {
  const whole = bytes
    .toString("utf8")
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[^\P{Cc}\n\t]/gu, "");
  const isCut = bytes.length > most;
  const head = isCut ? bytes.subarray(0, most).toString("utf8") : whole;
  const text = isCut ? whole.slice(0, Math.max(0, Math.min(whole.length, head.lastIndexOf("\n")))) : whole;
  return text.trim() === "" ? null : { path: FILE, text: text.trimEnd(), size: bytes.length, isCut };
};

const SKILLS = ".parley/skills";
const MAX_SKILLS = 30;
/** Characters of a skill's line. */
const MAX_LINE = 200;
const TIMEOUT = 10_000;

/** Null if the repository has no skills. */
const skillsIn = async (
  sandbox: Sandbox,
  { source, slot }: { readonly source: string; readonly slot: number },
): Promise<Guidance | null> => {
  const isThere = await lstat(join(source, SKILLS)).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isThere) return null;
  const given = [{ source, target: SANDBOX_PATHS.work, write: false }] as const;
  const listed = await runStep(sandbox, { script: LIST, given, slot, keep: MAX_FILE, timeout: TIMEOUT });
  const lines = listed.text.split("\u001e").flatMap(skillLine).slice(0, MAX_SKILLS);
  const text = lines.join("\n");
  return lines.length === 0
    ? null
    : { path: SKILLS, isList: true, text, size: Buffer.byteLength(text), isCut: lines.length === MAX_SKILLS };
};

const LIST = String.raw`cd .parley/skills
for file in *.md; do
  if [ -f "$file" ] && [ ! -L "$file" ]; then printf '\036%s\n' "$file"; head -c 2048 "$file"; fi
done`;

/** `when` in the front matter, or `description` as other agents name it; one line. */
const skillLine = (part: string): readonly string[] => {
  const [, name, head] = /^([A-Za-z\d][\w.-]{0,60}\.md)\n---\r?\n([^]*?)\n---/.exec(part) ?? [];
  const [, when] = /^(?:when|description):[ \t]*["']?(.*?)["']?[ \t]*\r?$/m.exec(head ?? "") ?? [];
  const said = when?.replaceAll(/\p{Cc}/gu, "").slice(0, MAX_LINE) ?? "";
  return name === undefined || said === "" ? [] : [`${name}: ${said}`];
};
