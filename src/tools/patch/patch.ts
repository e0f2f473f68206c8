/** `patch` (PATCH-001 to 009): all changes of a call or none. The sandbox keeps the file below the checkout. */
import { isUtf8 } from "node:buffer";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { ToolOutcome } from "../../ports/tools.ts";
import { applyPatches, type PatchedFile } from "./apply-patches.ts";
import { createClipboardStore } from "./clipboards.ts";
import { acceptPatchInput, patchInput } from "./patch-input.ts";
import { isInDraft } from "../drafts/where.ts";
import { insideWorkdir } from "../paths.ts";
import type { CallPlace, FindCallPlace } from "../resolve-execution.ts";
import { defineTool, failure, success, type Tool, Unable } from "../tool.ts";

/** PATCH-009, word for word. */
const PATCH_RESTRICTED =
  "Patch tool is disabled in Restricted mode. Use request_mode_upgrade to request write access.";
/** C15. */
const NOT_TO_AGENTS = " (not available to sub-agents; report this with submit_result)";

/** Bytes of the file, before and after. */
const MAX_FILE = 1024 * 1024;

const DESCRIPTION = `Change a text file in the working directory, or create one.

- All patches of a call are matched against the file as it is now and applied together; if one fails, nothing is changed.
- \`replace\` needs an \`oldText\` that stands in the file exactly once. A different indentation of the whole text, or a misquoted first or last line that \`newText\` repeats, is put right where that is unambiguous.
- \`append_eof\`, \`prepend_bof\` and \`overwrite\` create the file and its directories where they do not exist.
- Texts added at one place stand in the order of the patches.
- To move or copy text, cut it with \`toClipboard\` and put it with \`fromClipboard\`, in the same or a later call; \`reindent\` fits it to its new place.
- Files of up to 1 MB of UTF-8 text. Line endings are kept.
- \`where: "draft"\` changes the file in the open draft instead (see the tool draft).
- Disabled in Restricted mode, but for the draft.`;

export const createPatchTool = (sandbox: Pick<Sandbox, "get" | "put">, findPlace: FindCallPlace): Tool => {
  const clipboards = createClipboardStore();
  return defineTool({
    name: "patch",
    description: DESCRIPTION,
    origin: "checkout",
    look: {
      past: "Changed {object}",
      now: "changing {object}",
      fields: ["path"],
      icon: "file",
      face: "code",
    },
    judge: "write",
    schema: patchInput,
    tooLarge: "Break into smaller patches.",
    // Checked before all input rules (row 80c); a draft can be written under every permission.
    gate: (call, input) =>
      call.permission === "restricted" && !isInDraft(input)
        ? failure(`${PATCH_RESTRICTED}${call.isSubAgent === true ? NOT_TO_AGENTS : ""}`)
        : null,
    accept: acceptPatchInput,
    run: async ({ path, patches, where }, call) => {
      const place = await findPlace(call, where);
      const file = insideWorkdir(place.policy.cwd, path);
      const before = await readText(sandbox, place, file.path);
      const applied = applyPatches(before, patches, clipboards.read(call.conversation.id));
      if (!clipboards.fits(applied.clipboards)) return failure("The clipboards would hold more than 1 MB");
      const { unifiedDiff } = await import("./unified-diff.ts");
      if (call.signal.aborted) return failure("[patch cancelled]");
      await writeText(sandbox, place, file.path, applied.text, before);
      clipboards.write(call.conversation.id, applied.clipboards);
      const diff = unifiedDiff(file.relative, before, applied.text);
      const rehearsed = where === "draft" ? ({ rehearsed: true } as const) : {};
      return { ...report(applied, before), diff, ...rehearsed };
    },
  });
};

/** Null if the file does not exist. A byte order mark is kept. */
const readText = async (
  sandbox: Pick<Sandbox, "get">,
  place: CallPlace,
  path: string,
): Promise<string | null> => {
  const got = await sandbox.get(place.policy, path, MAX_FILE);
  if (got.kind === "error" && got.code === "not_found") return null;
  if (got.kind === "file" && isUtf8(got.bytes) && !got.bytes.includes(0)) return got.bytes.toString();
  const why = got.kind === "file" ? NOT_TEXT : got.code === "too_large" ? TOO_LARGE : got.message;
  throw new Unable(`Failed to read file: ${why}`);
};

const TOO_LARGE = "it is larger than 1 MB; change it with a command instead";
const NOT_TEXT = "it is not UTF-8 text; binary files cannot be patched";

const writeText = async (
  sandbox: Pick<Sandbox, "put">,
  place: CallPlace,
  path: string,
  text: string,
  before: string | null,
): Promise<void> => {
  if (text === before) return;
  const bytes = Buffer.from(text);
  if (bytes.length > MAX_FILE) throw new Unable("Failed to write file: it would be larger than 1 MB");
  const put = await sandbox.put(place.policy, path, bytes);
  if (put.kind === "error") throw new Unable(`Failed to write file: ${put.message}`);
};

const report = (applied: PatchedFile, before: string | null): ToolOutcome =>
  success(
    [
      "<patches_applied>all</patches_applied>",
      ...applied.adjusted.map(
        (name) => `<note>Clipboard '${name}' holds the file's text, which differs from oldText.</note>`,
      ),
      ...(before !== null && isGenerated(before) ? [GENERATED] : []),
    ].join("\n"),
  );

const GENERATED = "<warning>This file appears to be auto-generated. Edits may be overwritten.</warning>";

const HEADER = 2000;

const isGenerated = (text: string): boolean =>
  /code generated|do not edit|generated by|auto-generated|@generated/i.test(text.slice(0, HEADER));
