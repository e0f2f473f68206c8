import { error, type Finding } from "../../../ports/finding.ts";
import { inspect } from "./findings.ts";
import { complain } from "../shared/complain.ts";
import { findConfig } from "../shared/load-config.ts";

/** Exit status 1 if any finding is an error. `--json` prints one array, even if the configuration is invalid. */
export const doctorCommand = async (args: readonly string[]): Promise<number> => {
  const [option, ...more] = args;
  if ((option !== undefined && option !== "--json") || more.length > 0)
    return complain("Usage: npm run doctor [-- --json]");
  const findings: Finding[] = [];
  for await (const finding of everything(process.env["INIT_CWD"] ?? process.cwd())) {
    findings.push(finding);
    if (option === undefined) console.log(line(finding));
  }
  if (option === "--json") console.log(JSON.stringify(findings, null, 2));
  return findings.some(({ level }) => level === "error") ? 1 : 0;
};

/** A check that throws becomes a finding too. */
async function* everything(startedIn: string): AsyncGenerator<Finding> {
  const read = findConfig();
  if (read.kind === "invalid") {
    for (const problem of read.problems)
      yield error("configuration", problem, "Every setting is described in .env.example.");
    return;
  }
  try {
    yield* inspect(read.config, startedIn);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    yield error("doctor", `the checks stopped: ${why}`, "Correct the cause, then run the doctor again.");
  }
}

const line = ({ level, what, found, remedy }: Finding): string => {
  const text = `${level.padEnd(8)}${what}: ${found}`;
  return remedy === null ? text : `${text}\n        -> ${remedy}`;
};
