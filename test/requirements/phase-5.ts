/** Phase 5, safe mode (rows 104 to 117). */

import type { Row } from "./row.ts";

export const phase5: readonly Row[] = [
  {
    id: "104",
    source: "Phase 5, 1",
    demand: "Safe mode is on by default; the status shows it.",
    tests: [
      {
        file: "app/settings/config.test.ts",
        name: "configuration > needs nothing: every setting has a default",
        without: { file: "src/app/settings/config.ts", change: "safe mode is off by default" },
      },
      {
        file: "runtime/chat/people/status.test.ts",
        name: "the status of a conversation > BED-011.3 names permission, mode, safe mode, repository and commit, and what it does",
        without: {
          file: "src/runtime/chat/people/reply-texts.ts",
          change: "the status does not tell safe mode",
        },
      },
    ],
  },
  {
    id: "105",
    source: "Phase 5, 1",
    demand: "With safe mode, a dangerous call runs only after a click.",
    tests: [
      {
        file: "runtime/live/safe-mode.test.ts",
        name: "rows 104, 105, 108, 114: safe mode is on; what it holds does not run before a click, and runs after it",
        without: { file: "src/runtime/live/run.ts", change: "nothing is held" },
      },
      {
        file: "machine/decide.test.ts",
        name: "safe mode (Phase 5) > row 105, 109: a dangerous call is held, and the trace says approval_required",
        without: { file: "src/machine/transition/result.ts", change: "a held call is run all the same" },
      },
    ],
  },
  {
    id: "106",
    source: "Phase 5, 1",
    demand: "Without safe mode, the call runs, and the trace has the skipped approval.",
    tests: [
      {
        file: "runtime/live/safe-mode.test.ts",
        name: "row 106: off runs it and logs approval_skipped; only who may approve turns it off",
        without: { file: "src/thread/labels.ts", change: "the trace does not say it" },
      },
    ],
  },
  {
    id: "107",
    source: "Phase 5, 2",
    demand: "Each trigger yields its own of nine categories.",
    tests: [
      {
        file: "shell-risk/classify.test.ts",
        name: "row 107: each trigger of requirements.md 1.7 yields its category > %s is %s",
        without: { file: "src/shell-risk/programs/system.ts", change: "sudo is a program like any other" },
      },
      {
        file: "shell-risk/classify.test.ts",
        name: "row 116: what a person is told > the categories come in one order, each once",
        without: { file: "src/shell-risk/danger/danger.ts", change: "there are eight categories" },
      },
    ],
  },
  {
    id: "108",
    source: "Phase 5, 3.1-2",
    demand: "An approval request carries its session; the host finds the category.",
    tests: [
      {
        file: "runtime/live/safe-mode.test.ts",
        name: "rows 104, 105, 108, 114: safe mode is on; what it holds does not run before a click, and runs after it",
        without: { file: "src/runtime/live/run.ts", change: "no category is named" },
      },
      {
        file: "features/gateway/gateway.test.ts",
        name: "a chat completion > row 113: says what needs approval; approve-session lets the repeated message through",
        without: { file: "src/features/gateway/approval.ts", change: "the error does not name the session" },
      },
    ],
  },
  {
    id: "109",
    source: "Phase 5, 3.3",
    demand: "Categories without a grant are asked for, with approval_required in the trace.",
    tests: [
      {
        file: "machine/decide.test.ts",
        name: "safe mode (Phase 5) > row 105, 109: a dangerous call is held, and the trace says approval_required",
        without: { file: "src/thread/labels.ts", change: "the trace does not say it" },
      },
    ],
  },
  {
    id: "110",
    source: "Phase 5, 3.4",
    demand: "An approval grants exactly its listed categories.",
    tests: [
      {
        file: "machine/decide.test.ts",
        name: "safe mode (Phase 5) > row 110, 111: This thread grants exactly the listed categories and later calls are stamped with them",
        without: { file: "src/machine/transition/decide.ts", change: "only the first category is granted" },
      },
      {
        file: "runtime/live/safe-mode.test.ts",
        name: "row 110: categories may be granted ahead, and only by who may approve",
        without: { file: "src/machine/transition/permission.ts", change: "a grant grants nothing" },
      },
    ],
  },
  {
    id: "111",
    source: "Phase 5, 3.5",
    demand: "A later call that needs no other category is not asked about.",
    tests: [
      {
        file: "runtime/live/safe-mode.test.ts",
        name: "row 111: This thread lets the next one through; row 112: another thread and a new process ask",
        without: {
          file: "src/machine/transition/decide.ts",
          change: "a grant for the session is for one call",
        },
      },
    ],
  },
  {
    id: "112",
    source: "Phase 5, 3.6",
    demand: "Other sessions and processes ask again.",
    tests: [
      {
        file: "machine/decide.test.ts",
        name: "safe mode (Phase 5) > row 112: waking forgets grants; a pending question stays",
        without: { file: "src/machine/transition/process-events.ts", change: "grants outlive the process" },
      },
      {
        file: "features/gateway/gateway.test.ts",
        name: "a chat completion > row 112: another session asks again",
        without: { file: "src/features/gateway/sessions.ts", change: "all sessions are one" },
      },
    ],
  },
  {
    id: "113",
    source: "Phase 5, 4",
    demand: "The API's error has status, type, code and details with the prompt.",
    tests: [
      {
        file: "features/gateway/gateway.test.ts",
        name: "a chat completion > row 113: says what needs approval; approve-session lets the repeated message through",
        without: {
          file: "src/features/gateway/approval.ts",
          change: "the details have no list of what is required",
        },
      },
      {
        file: "features/gateway/gateway.test.ts",
        name: "a chat completion > the curl examples of Phase 5 work as they are written, given their tokens",
        without: { file: "src/features/gateway/approval.ts", change: "the code is another one" },
      },
      {
        file: "features/gateway/endings.test.ts",
        name: "%s: a turn that > row 113: asks for %s is a BadRequestError with all of the details",
        without: {
          file: "src/features/gateway/complete.ts",
          change: "what goes wrong before the first text of a stream is no HTTP error",
        },
      },
    ],
  },
  {
    id: "114",
    source: "Phase 5, 6",
    demand: "The trace has approval_required, approval_granted and approval_skipped.",
    tests: [
      {
        file: "runtime/live/safe-mode.test.ts",
        name: "rows 104, 105, 108, 114: safe mode is on; what it holds does not run before a click, and runs after it",
        without: { file: "src/thread/labels.ts", change: "a grant is not in the trace" },
      },
      {
        file: "runtime/live/safe-mode.test.ts",
        name: "row 106: off runs it and logs approval_skipped; only who may approve turns it off",
        without: { file: "src/thread/labels.ts", change: "what is skipped is not in the trace" },
      },
    ],
  },
  {
    id: "115",
    source: "Phase 5, 7",
    demand: "Grants are in memory only.",
    tests: [
      {
        file: "store/base/codec.test.ts",
        name: "schemas > row 115: a state is written without its grants (C27)",
        without: { file: "src/store/base/codec.ts", change: "a state is written with its grants" },
      },
      {
        file: "store/base/codec.test.ts",
        name: "schemas > forged grants in a stored state are not read (row 115)",
        without: { file: "src/store/schema/state.ts", change: "stored grants are read" },
      },
    ],
  },
  {
    id: "116",
    source: "M-E",
    demand: "The question has what, why, risk and at most three changes, with Once, This thread and Deny.",
    tests: [
      {
        file: "shell-risk/classify.test.ts",
        name: "row 116: what a person is told > what, why, the risk and up to three changes",
        without: { file: "src/shell-risk/danger/danger.ts", change: "there is no bound on the changes" },
      },
      {
        file: "machine/decide.test.ts",
        name: "safe mode (Phase 5) > the card offers Once, This thread, Deny, and stays as a record beside what the call came to",
        without: { file: "src/thread/question.ts", change: "there is no Once" },
      },
      {
        file: "adapters/slack/write/render.test.ts",
        name: "a question > of safe mode says what the held call would do, and what each answer covers",
        without: { file: "adapters/slack/write/render.ts", change: "the risk is not shown" },
      },
    ],
  },
  {
    id: "117",
    source: "M-F",
    demand: "An empty list grants nothing, and no grant lifts another rule.",
    tests: [
      {
        file: "machine/decide.test.ts",
        name: "safe mode (Phase 5) > row 117: an empty list grants nothing; who may not approve grants nothing",
        without: { file: "src/machine/transition/permission.ts", change: "an empty list is taken" },
      },
      {
        file: "tools/bash/dangers.test.ts",
        name: "what safe mode asks for > row 117: what BASH-007 refuses is not asked for, whatever else it holds",
        without: { file: "src/tools/bash/bash.ts", change: "a grant lifts BASH-007" },
      },
      {
        file: "features/gateway/gateway.test.ts",
        name: "who may what > row 117: an empty list grants nothing",
        without: { file: "src/features/gateway/app.ts", change: "an empty list grants all" },
      },
    ],
  },
];
