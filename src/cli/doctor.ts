/** `npm run doctor`: every prerequisite tried for real; each line ok, warning or error with its remedy. */

import type { Finding } from "./finding.ts";
import { inspect } from "./findings.ts";
import { loadConfig } from "./load-config.ts";

/** Exit status: 0, or 1 where anything is an error. `--json` prints the findings as one array. */
export const doctorCommand = async (args: readonly string[]): Promise<number> => {
  const [option, ...more] = args;
  if ((option !== undefined && option !== "--json") || more.length > 0) {
    console.error("Usage: npm run doctor [-- --json]");
    return 1;
  }
  const config = loadConfig();
  if (config === null) return 1;
  const findings: Finding[] = [];
  for await (const finding of inspect(config, process.env["INIT_CWD"] ?? process.cwd())) {
    findings.push(finding);
    if (option === undefined) console.log(line(finding));
  }
  if (option === "--json") console.log(JSON.stringify(findings, null, 2));
  return findings.some(({ level }) => level === "error") ? 1 : 0;
};

const line = ({ level, what, found, remedy }: Finding): string => {
  const text = `${level.padEnd(8)}${what}: ${found}`;
  return remedy === null ? text : `${text}\n        -> ${remedy}`;
};
