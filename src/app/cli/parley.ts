/** Each command is imported on demand, so that a start is quick. */

import { complain } from "./shared/complain.ts";
import { withoutBrotli } from "../process/no-brotli.ts";
import { leanImports } from "../../store/base/lean-imports.ts";

const COLUMN = 28;

const ofCore = (manifests: readonly string[]): string => `Usage: parley COMMAND

  setup [SURFACE] [OPTION VALUE]…
                            ask for all that a first answer needs, check it, and write .env
  start                     start the console and every configured platform
  doctor [--json]           test every prerequisite and print a remedy for each problem
  sandbox --profile restricted|unrestricted --cwd DIR [--timeout S] -- CMD ARG…
                            run one command as a tool would
  sandbox --probe           print the sandbox features of this machine, as JSON
${manifests.join("\n")}
  replay CONVERSATION       replay a stored trace and compare the results
  classify [COMMAND]        print how BASH-007 and safe mode judge a command, without running it
  audit [--csv | --json]    print every question with the displayed text and the decision
  backup DIR                copy all data that must survive to DIR, also while Parley runs
  restore DIR               fill an empty data directory from a backup
  forget PERSON [--name NAME]…
                            delete everything that a person said, in the running Parley
  config [--json]           print every setting in force and its source; secrets are hidden
  models [--json]           print every configured model: context window, longest answer, prices, and the source of each figure`;

/** Imports modules late, because `leanImports` must run first. */
export const usageText = async (): Promise<string> => {
  const [{ programLines }, { PLATFORMS }] = await Promise.all([
    import("./programs.ts"),
    import("../chat/platforms.ts"),
  ]);
  const manifests = PLATFORMS.map(({ name, manifest }) => {
    const [options, meaning] = manifest.help;
    return line(`manifest ${name} ${options}`, meaning);
  });
  return [
    ofCore(manifests),
    ...programLines.map((one) => line(...one)),
    line("help", "print this text"),
  ].join("\n");
};

const line = (called: string, meaning: string): string => {
  const call = `  ${called}`.trimEnd();
  return call.length < COLUMN ? call.padEnd(COLUMN) + meaning : `${call}\n${" ".repeat(COLUMN)}${meaning}`;
};

export const main = async (args: readonly string[]): Promise<number> => {
  // Private files set their own mode. A stricter umask (systemd's UMask, root's own) would hide files from
  // the users that commands run as.
  process.umask(0o022);
  withoutBrotli();
  leanImports();
  const [command, ...rest] = args;
  if (command === "help" || command === "--help" || command === "-h") {
    console.log(await usageText());
    return 0;
  }
  const found = Object.entries(COMMANDS).find(([name]) => name === command);
  if (found !== undefined) return (await found[1]())(rest);
  if (command === undefined) return complain(await usageText());
  const { runProgram } = await import("./programs.ts");
  const status = await runProgram(command, rest);
  return status ?? complain(`parley: unknown command "${command}"\n\n${await usageText()}`);
};

type Command = (args: readonly string[]) => number | Promise<number>;

const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  setup: async () => (await import("./setup/setup.ts")).setupCommand,
  start: async () => (await import("./start.ts")).startCommand,
  doctor: async () => (await import("./doctor/doctor.ts")).doctorCommand,
  sandbox: async () => (await import("./sandbox.ts")).sandboxCommand,
  replay: async () => (await import("./replay.ts")).replayCommand,
  classify: async () => (await import("./classify.ts")).classifyCommand,
  audit: async () => (await import("./audit.ts")).auditCommand,
  models: async () => (await import("./models.ts")).modelsCommand,
  config: async () => (await import("./config.ts")).configCommand,
  backup: async () => (await import("./backup.ts")).backupCommand,
  restore: async () => (await import("./restore.ts")).restoreCommand,
  forget: async () => (await import("./forget.ts")).forgetCommand,
  manifest: async () => (await import("./manifest.ts")).manifestCommand,
};
