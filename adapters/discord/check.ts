/** Whether the bot's token works and its application is granted what Parley asks for; for doctor. */

import * as z from "zod";
import { troubleOf } from "./failure.ts";
import { intentsProblem, missingIntents, type Problem, problemOfLogin } from "./problem.ts";
import { type CallsOptions, createCalls } from "./rest.ts";

export type Checked =
  | { readonly kind: "usable"; readonly name: string }
  | { readonly kind: "unusable"; readonly problem: Problem }
  | { readonly kind: "unreached"; readonly why: string };

export const checkDiscord = async (options: CallsOptions): Promise<Checked> => {
  const calls = createCalls(options);
  try {
    const { id, name, flags } = application.parse(await calls.call("GET", "/applications/@me"));
    const missing = missingIntents(flags);
    return missing.length === 0
      ? { kind: "usable", name }
      : { kind: "unusable", problem: intentsProblem(missing, id) };
  } catch (error) {
    const problem = problemOfLogin(error);
    if (problem !== null) return { kind: "unusable", problem };
    const trouble = troubleOf(error);
    return { kind: "unreached", why: trouble.kind === "throttled" ? "Discord asks to wait" : trouble.why };
  } finally {
    calls.close();
  }
};

const application = z.object({ id: z.string(), name: z.string(), flags: z.int() });
