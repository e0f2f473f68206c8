/** docs/design/sources.md: what the source documents ask for, and the tests that hold each row. */

import { join } from "node:path";
import { root } from "../../app/cli/host.ts";
import { rows } from "../../requirements/rows.ts";
import { code, table } from "./markdown.ts";

export const sourcesFile = join(root, "docs/design/sources.md");

export const sources = (): string =>
  [
    "# Sources",
    "Requirements of Parley's first documents: *Bedrock* (BED), the tools *bash* (BASH) and *patch* (PATCH), the work modes " +
      "(TUL-007), safe mode (Phase 5), and design notes (DS, OQ, INV). Made from `test/requirements` by `npm run reference`. " +
      "`test/requirements.test.ts` checks that the tests exist, always run, and have failed without the row's behavior.",
    "## Rows",
    table(
      ["row", "source", "asks", "held by"],
      rows.map(({ id, source, demand, tests }) => [
        id,
        source,
        demand,
        [...new Set(tests.map(({ file }) => code(file)))].join(", "),
      ]),
    ),
    "## The tools' documents",
    table(["source", "asks"], TOOLS),
  ]
    .join("\n\n")
    .concat("\n");

const TOOLS: readonly (readonly string[])[] = [
  ["BASH-001", "A command runs in the conversation's directory; long output is cut in the middle."],
  ["BASH-002", "A command's time limit kills its group and returns the output so far."],
  ["BASH-003", "A background command returns at once, with an id and its output file."],
  ["BASH-004", "A command has no terminal and no input."],
  ["BASH-005", "Schema and description of the tool."],
  ["BASH-006", "A failed command is an error with its exit code, apart from a failed start."],
  ["BASH-007", "Blind `git add`, forced pushes and critical `rm` are refused, with exact texts."],
  ["BASH-008", "Restricted: the kernel refuses writes and the network, with its own error."],
  ["BASH-009", "Without Landlock, Restricted is off, with a notice."],
  ["PATCH-001", "Patches replace, append, prepend or overwrite, and create files and folders."],
  ["PATCH-002", "All patches of a call apply to the original at once, or none does."],
  ["PATCH-003", "Clipboards carry text from one patch to another."],
  ["PATCH-004", "A patch can change the indentation of what it inserts."],
  ["PATCH-005", "Text is also searched with other indentation."],
  ["PATCH-006", "Schema of the tool."],
  ["PATCH-007", "Every failure has an exact text."],
  ["PATCH-008", "Generated files are named."],
  ["PATCH-009", "Restricted returns the sentence that names `request_mode_upgrade`."],
  ["TUL-009", "TUL-007 with other argument names; TUL-007 wins."],
  ["TUL-010", "A list of work modes."],
];
