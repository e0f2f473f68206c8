import { needsSecondReading } from "./rules.ts";

const LONGEST = 72;
const FORM = /^[a-z][\w/., -]*: [a-z]/;
/** Third person, past and gerund, without verbs that end like these. */
const NOT_IMPERATIVE =
  /^(?!pass |process |discuss |address |compress |focus |access |bring |need |embed |feed |seed |shed |speed )\w+(?:s|ed|ing) /;

/** Fault of a commit's subject, or null: `area: verb object`, imperative, at most 72 characters. */
export const subjectFault = (subject: string): string | null => {
  if (subject.length > LONGEST) return `longer than ${LONGEST} characters`;
  if (!FORM.test(subject)) return "not in the form `area: verb object`";
  const change = subject.slice(subject.indexOf(": ") + 2);
  if (NOT_IMPERATIVE.test(change)) return "not imperative";
  return needsSecondReading(change) ? "needs a second reading" : null;
};
