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
  [
    "BASH-001",
    "A command runs in the conversation's directory; its output is answered, bounded, with its middle left out.",
  ],
  [
    "BASH-002",
    "A command has a time limit; past it the group is killed and what it printed so far is answered.",
  ],
  ["BASH-003", "A background command returns at once with an id and the file that its output goes to."],
  ["BASH-004", "A command has no terminal and no input."],
  ["BASH-005", "The schema of the tool, and what its description says."],
  ["BASH-006", "A failed command is an error with its exit code; one that could not start is told apart."],
  [
    "BASH-007",
    "Blind `git add`, forced pushes and critical `rm` are refused before they run, with exact texts.",
  ],
  ["BASH-008", "Restricted: the kernel refuses writes and the network, and its own error is answered."],
  ["BASH-009", "Without Landlock, Restricted is not offered and people are told."],
  ["PATCH-001", "Patches replace, append, prepend or overwrite; a new file and its folders are made."],
  ["PATCH-002", "All patches of a call apply to the original at once, or none does."],
  ["PATCH-003", "Clipboards carry text from one patch to another."],
  ["PATCH-004", "A patch can change the indentation of what it inserts."],
  ["PATCH-005", "Text that is not found as written is looked for with other indentation."],
  ["PATCH-006", "The schema of the tool."],
  ["PATCH-007", "Every failure has an exact text."],
  ["PATCH-008", "Files that look generated are named as such."],
  ["PATCH-009", "Restricted answers with the sentence that names `request_mode_upgrade`."],
  ["TUL-009", "The twin of TUL-007 with other names for its arguments; TUL-007 wins."],
  ["TUL-010", "The catalogue of work modes can be listed."],
];
