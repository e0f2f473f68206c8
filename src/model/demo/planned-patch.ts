/** From what a change asks for and what the look found to one call of `patch`. Pure. */

import type { Edit } from "./edit.ts";
import { inlineCode } from "./markdown.ts";
import type { DemoCall } from "./reply.ts";

export interface PlannedPatch {
  readonly path: string;
  readonly call: DemoCall;
  /** What the person who decides reads. */
  readonly reason: string;
  /** What is said when it is done. */
  readonly done: string;
}

/** `looked`: file names for an addition, `path:line:text` for a replacement. Null where there is nothing to change. */
export const plannedPatch = (edit: Edit, looked: string): PlannedPatch | null =>
  edit.kind === "append" ? appended(edit, looked) : replaced(edit, looked);

const DEMO_LINE = "Parley's demo model added this line to show an approval, a patch and a diff.";

const appended = (edit: Edit & { kind: "append" }, looked: string): PlannedPatch => {
  const names = looked.split("\n").filter((name) => /^[^\0:]{1,300}$/.test(name));
  const path = names.find((name) => !name.includes("/")) ?? names[0] ?? edit.file ?? "README.md";
  const text = edit.text ?? DEMO_LINE;
  return {
    path,
    call: patchCall(path, { operation: "append_eof", newText: `\n${text}\n` }),
    reason: `Add one line at the end of ${path}: ${text}`,
    done: `I added one line at the end of ${inlineCode(path)}.`,
  };
};

const replaced = ({ from, to }: Edit & { kind: "replace" }, looked: string): PlannedPatch | null => {
  for (const row of looked.split("\n")) {
    const [, path, line, text] = /^([^:\0]{1,300}):(\d{1,7}):(.*)$/.exec(row) ?? [];
    if (path === undefined || text?.includes(from) !== true) continue;
    return {
      path,
      // The whole line, because `replace` wants a text that stands in the file once.
      call: patchCall(path, {
        operation: "replace",
        oldText: text,
        newText: text.replace(from, () => to),
      }),
      reason: `Change "${from}" to "${to}" in line ${line} of ${path}.`,
      done: `I changed ${inlineCode(from)} to ${inlineCode(to)} in line ${line} of ${inlineCode(path)}, the first place where it stands.`,
    };
  }
  return null;
};

const patchCall = (path: string, patch: Readonly<Record<string, string>>): DemoCall => ({
  name: "patch",
  input: { path, patches: [patch] },
});
