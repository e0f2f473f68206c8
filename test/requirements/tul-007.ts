/** TUL-007, the work modes (rows 82 to 103). */

import type { Row } from "./row.ts";

export const tul007: readonly Row[] = [
  {
    id: "82",
    source: "TUL-007 3.1",
    demand: "The host's own tool is called agent_change_mode.",
    tests: [
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > rows 82, 83, 85: is in the one list that every conversation has in every mode, and needs all three arguments",
        without: { file: "src/tools/change-mode.ts", change: "it has another name" },
      },
    ],
  },
  {
    id: "83",
    source: "TUL-007 3.1",
    demand: "Every mode lists the tool.",
    tests: [
      {
        file: "runtime/live/turn.test.ts",
        name: "a turn > TUL-007 3.1b offers the same tools with every request, whatever permission and mode are",
        without: { file: "src/runtime/live/think.ts", change: "another mode has other tools" },
      },
      {
        file: "app/tools.test.ts",
        name: "the list of tools > has those of a parent conversation",
        without: { file: "src/app/tools.ts", change: "the tool is not in the list" },
      },
    ],
  },
  {
    id: "84",
    source: "TUL-007 3.2",
    demand: "The tool needs a session manager and a log.",
    tests: [
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > row 103: the unit tests that TUL-007 asks for > row 84: is not made without a session manager or without a log",
        without: { file: "src/tools/change-mode.ts", change: "a missing log is borne" },
      },
    ],
  },
  {
    id: "85",
    source: "TUL-007 3.3",
    demand: "Mode, branch and reason are required.",
    tests: [
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > rows 82, 83, 85: is in the one list that every conversation has in every mode, and needs all three arguments",
        without: { file: "src/tools/change-mode.ts", change: "the reason is not required" },
      },
    ],
  },
  {
    id: "86",
    source: "TUL-007 3.3",
    demand: "Session, organisation and user come from the call's context, never from arguments.",
    tests: [
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > row 86, 97: a valid call is a question; what it says of session, organisation or user is not taken",
        without: { file: "src/tools/change-mode.ts", change: "what the call says is passed on" },
      },
    ],
  },
  {
    id: "87",
    source: "TUL-007 3.4",
    demand: "Missing arguments are an error.",
    tests: [
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > %s: %j is refused in its words, and nobody is asked (row 93)",
        without: { file: "src/tools/change-mode.ts", change: "the text is another one" },
      },
    ],
  },
  {
    id: "88",
    source: "TUL-007 3.4",
    demand: "A missing context is an error.",
    tests: [
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > row 103: the unit tests that TUL-007 asks for > row 88: without a context it says so",
        without: { file: "src/tools/change-mode.ts", change: "the text is another one" },
      },
    ],
  },
  {
    id: "89",
    source: "TUL-007 3.4",
    demand: "A missing session is an error and logged.",
    tests: [
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > row 103: the unit tests that TUL-007 asks for > row 89: without a session it says so and logs it",
        without: { file: "src/tools/change-mode.ts", change: "it is not logged" },
      },
    ],
  },
  {
    id: "90",
    source: "TUL-007 3.4",
    demand: "A missing mode is an error.",
    tests: [
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > %s: %j is refused in its words, and nobody is asked (row 93)",
        without: { file: "src/tools/change-mode.ts", change: "a blank mode is one" },
      },
    ],
  },
  {
    id: "91",
    source: "TUL-007 3.4",
    demand: "A missing branch flag is an error; false is a value.",
    tests: [
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > %s: %j is refused in its words, and nobody is asked (row 93)",
        without: { file: "src/tools/change-mode.ts", change: "a branch that is no flag is taken for false" },
      },
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > row 103: the unit tests that TUL-007 asks for > rows 94 and 95: happy path, once, with session, mode, reason, organisation and person",
        without: { file: "src/tools/change-mode.ts", change: "every answer says branch" },
      },
    ],
  },
  {
    id: "92",
    source: "TUL-007 3.4",
    demand: "A missing reason is an error.",
    tests: [
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > %s: %j is refused in its words, and nobody is asked (row 93)",
        without: { file: "src/tools/change-mode.ts", change: "an empty reason is one" },
      },
    ],
  },
  {
    id: "93",
    source: "TUL-007 3.4",
    demand: "A refused call sets no mode and asks nobody.",
    tests: [
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > %s: %j is refused in its words, and nobody is asked (row 93)",
        without: {
          file: "src/tools/change-mode.ts",
          change: "a mode that is in no catalogue is asked about",
        },
      },
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > row 103: the unit tests that TUL-007 asks for > row 93: without a %s the manager is not asked",
        without: {
          file: "src/tools/change-mode.ts",
          change: "what is missing is refused after the manager was asked",
        },
      },
    ],
  },
  {
    id: "94",
    source: "TUL-007 3.5",
    demand: "A confirmed call sets the mode once, with session, mode, reason, organisation and person.",
    tests: [
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > row 103: the unit tests that TUL-007 asks for > rows 94 and 95: happy path, once, with session, mode, reason, organisation and person",
        without: { file: "src/tools/change-mode.ts", change: "the organisation is left out" },
      },
      {
        file: "runtime/bot/branch.test.ts",
        name: "row 94: a switch is one event that says who, why, from what and to what; the tools stay as they were (row 83)",
        without: {
          file: "src/machine/transition/permission.ts",
          change: "people are not told of the change",
        },
      },
      {
        file: "runtime/bot/branch.test.ts",
        name: "row 94: every way to change the mode goes through the one port, and says why",
        without: { file: "src/runtime/bot/session-modes.ts", change: "the event names no reason" },
      },
    ],
  },
  {
    id: "95",
    source: "TUL-007 3.6",
    demand: "The result has success, mode, branch and reason.",
    tests: [
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > row 103: the unit tests that TUL-007 asks for > rows 94 and 95: happy path, once, with session, mode, reason, organisation and person",
        without: { file: "src/tools/change-mode.ts", change: "the result has no reason" },
      },
    ],
  },
  {
    id: "96",
    source: "TUL-007 3.6",
    demand: "A failed change of the mode is logged and returns one exact sentence.",
    tests: [
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > %s: %j is refused in its words, and nobody is asked (row 93)",
        without: { file: "src/tools/change-mode.ts", change: "the sentence is another one" },
      },
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > row 103: the unit tests that TUL-007 asks for > row 96: a manager that %s is logged, and the model is told the one sentence",
        without: { file: "src/tools/change-mode.ts", change: "what the manager throws is thrown on" },
      },
      {
        file: "runtime/bot/branch.test.ts",
        name: "row 96: where the mode cannot be stored the model is told so without details, it stays, and the log has the reason",
        without: { file: "src/machine/transition/result.ts", change: "a thread is opened all the same" },
      },
      {
        file: "machine/decide.test.ts",
        name: "work modes (TUL-007) > row 96: where the mode could not be set the turn goes on, and no thread is asked for",
        without: { file: "src/machine/transition/result.ts", change: "a thread is opened all the same" },
      },
    ],
  },
  {
    id: "97",
    source: "TUL-007 4.1",
    demand: "The proposal has three answers: stay, switch, switch in a new session.",
    tests: [
      {
        file: "machine/decide.test.ts",
        name: "work modes (TUL-007) > row 97, 101: a change is held and put before people with Stay, Switch, Switch in a new thread",
        without: { file: "src/machine/round.ts", change: "a change is made without a question" },
      },
      {
        file: "adapters/slack/branch.test.ts",
        name: "Switch in a new thread > row 100: posts a message in the channel whose thread is the conversation in that mode; each links to the other",
        without: { file: "src/thread/question.ts", change: "there are two answers" },
      },
    ],
  },
  {
    id: "98",
    source: "TUL-007 4.2",
    demand: "Stay changes nothing.",
    tests: [
      {
        file: "machine/decide.test.ts",
        name: "work modes (TUL-007) > row 98: Stay changes nothing and says so",
        without: { file: "src/machine/transition/decide.ts", change: "Stay switches" },
      },
    ],
  },
  {
    id: "99",
    source: "TUL-007 4.2",
    demand: "Switch changes the mode here, with branch false.",
    tests: [
      {
        file: "machine/decide.test.ts",
        name: "work modes (TUL-007) > row 99: Switch lets the tool run for whoever confirmed; the mode changes when it asks for that, once",
        without: { file: "src/machine/transition/permission.ts", change: "the mode stays as it was" },
      },
    ],
  },
  {
    id: "100",
    source: "TUL-007 4.2",
    demand: "Switch in a new session creates a thread in that mode, linked both ways, with branch true.",
    tests: [
      {
        file: "machine/decide.test.ts",
        name: "work modes (TUL-007) > row 100, D16: Switch in a new thread ends the turn with the tool's result and asks for the thread",
        without: { file: "src/machine/transition/branched.ts", change: "no thread is asked for" },
      },
      {
        file: "runtime/bot/branch.test.ts",
        name: "row 100: the new thread is in that mode, Restricted, linked, and works on the last message",
        without: { file: "src/machine/transition/branched.ts", change: "the new thread has the first mode" },
      },
      {
        file: "adapters/slack/branch.test.ts",
        name: "Switch in a new thread > row 100: posts a message in the channel whose thread is the conversation in that mode; each links to the other",
        without: {
          file: "src/machine/transition/branched.ts",
          change: "the old thread does not link to the new one",
        },
      },
    ],
  },
  {
    id: "101",
    source: "TUL-007 4.3",
    demand: "Nothing changes without a click; the description asks for sparing use.",
    tests: [
      {
        file: "machine/decide.test.ts",
        name: "work modes (TUL-007) > row 97, 101: a change is held and put before people with Stay, Switch, Switch in a new thread",
        without: { file: "src/machine/round.ts", change: "a change is made without a question" },
      },
      {
        file: "machine/laws.test.ts",
        name: "laws of the machine > C25 a mode changes only by a person's word and never touches the permission",
        without: { file: "src/machine/transition/result.ts", change: "a tool's end changes the mode" },
      },
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > row 103: the unit tests that TUL-007 asks for > row 101: nor where nobody has confirmed",
        without: {
          file: "src/tools/change-mode.ts",
          change: "the manager is asked though nobody has confirmed",
        },
      },
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > row 102: its description carries the source's sentence and the three options, asks for sparing use, and explains each argument",
        without: { file: "src/tools/change-mode.ts", change: "nothing asks for sparing use" },
      },
    ],
  },
  {
    id: "102",
    source: "TUL-007 4.4, 5",
    demand: "Its description and schema carry the source's sentences.",
    tests: [
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > row 102: its description carries the source's sentence and the three options, asks for sparing use, and explains each argument",
        without: { file: "src/tools/change-mode.ts", change: "the description names no options" },
      },
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > row 102: its description carries the source's sentence and the three options, asks for sparing use, and explains each argument",
        without: { file: "src/tools/change-mode.ts", change: "the reason is not explained" },
      },
    ],
  },
  {
    id: "103",
    source: "TUL-007 6",
    demand: "The source's four tests exist: success, missing mode, missing reason, failing session manager.",
    tests: [
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > row 103: the unit tests that TUL-007 asks for > rows 94 and 95: happy path, once, with session, mode, reason, organisation and person",
        without: { file: "src/tools/change-mode.ts", change: "the manager is asked for another mode" },
      },
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > row 103: the unit tests that TUL-007 asks for > row 93: without a %s the manager is not asked",
        without: { file: "src/tools/change-mode.ts", change: "a missing reason is borne" },
      },
      {
        file: "tools/modes.test.ts",
        name: "agent_change_mode (TUL-007) > row 103: the unit tests that TUL-007 asks for > row 96: a manager that %s is logged, and the model is told the one sentence",
        without: { file: "src/tools/change-mode.ts", change: "nothing is logged" },
      },
    ],
  },
];
