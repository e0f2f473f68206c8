/** `parley COMMAND …`: which command runs. Each is imported when it is asked for, so that starting stays quick. */

import { withoutBrotli } from "../host/process/no-brotli.ts";
import { withoutLocales } from "../host/process/no-locales.ts";

export const USAGE = `Usage: parley COMMAND

  start                     start every configured surface and the console
  doctor [--json]           try every prerequisite for real, with the remedy on each line
  sandbox --profile restricted|unrestricted --cwd DIR [--timeout S] -- CMD ARG…
                            run one command exactly as a tool would
  sandbox --probe           what the kernel can enforce here, as JSON
  manifest slack [--http URL]
                            print the app's manifest, ready to paste
  manifest discord          print what to switch on, and the invitation of the bot that DISCORD_TOKEN names
  replay CONVERSATION       replay a stored trace through the core
  classify [COMMAND]        what BASH-007 and safe mode say of a command; nothing is run
  audit [--csv | --json]    every question put to people: what was shown, who answered, how
  backup DIR                copy everything that must survive to DIR, also while Parley runs
  restore DIR               fill an empty data directory from such a copy
  forget PERSON [--name NAME]…
                            take back all that somebody said, in the running Parley
  hosts [--json]            which hosts share PARLEY_DATABASE, what each has, how far its copy is
  drain HOST                let a host hand over to the others
  move CONVERSATION HOST    let another host go on with a conversation
  import DIR                bring the data directory of a single host into an empty PARLEY_DATABASE
  config [--json]           every setting as it is in force, and where it comes from; secrets hidden
  models [--json]           every configured model: window, longest answer and prices, and where each figure is from
  hook NAME                 the address of a webhook and its secret, for whoever sends to it
  help                      this text`;

/** Answers the exit status. */
export const main = async (args: readonly string[]): Promise<number> => {
  // What is private says so itself; under a stricter one (systemd's UMask, root's own) the users that commands have could
  // not reach what is made for them.
  process.umask(0o022);
  withoutBrotli();
  withoutLocales();
  const [command, ...rest] = args;
  switch (command) {
    case "start": {
      const { startCommand } = await import("./start.ts");
      return startCommand(rest);
    }
    case "doctor": {
      const { doctorCommand } = await import("./doctor/doctor.ts");
      return doctorCommand(rest);
    }
    case "sandbox": {
      const { sandboxCommand } = await import("./sandbox.ts");
      return sandboxCommand(rest);
    }
    case "replay": {
      const { replayCommand } = await import("./replay.ts");
      return replayCommand(rest);
    }
    case "classify": {
      const { classifyCommand } = await import("./classify.ts");
      return classifyCommand(rest);
    }
    case "audit": {
      const { auditCommand } = await import("./audit.ts");
      return auditCommand(rest);
    }
    case "models": {
      const { modelsCommand } = await import("./models.ts");
      return modelsCommand(rest);
    }
    case "hook": {
      const { hookCommand } = await import("./hook.ts");
      return hookCommand(rest);
    }
    case "hosts": {
      const { hostsCommand } = await import("./fleet/hosts.ts");
      return hostsCommand(rest);
    }
    case "move": {
      const { moveCommand } = await import("./fleet/move.ts");
      return moveCommand(rest);
    }
    case "drain": {
      const { drainCommand } = await import("./fleet/drain.ts");
      return drainCommand(rest);
    }
    case "import": {
      const { importCommand } = await import("./fleet/import.ts");
      return importCommand(rest);
    }
    case "config": {
      const { configCommand } = await import("./config.ts");
      return configCommand(rest);
    }
    case "backup": {
      const { backupCommand } = await import("./backup.ts");
      return backupCommand(rest);
    }
    case "restore": {
      const { restoreCommand } = await import("./restore.ts");
      return restoreCommand(rest);
    }
    case "forget": {
      const { forgetCommand } = await import("./forget.ts");
      return forgetCommand(rest);
    }
    case "manifest": {
      const { manifestCommand } = await import("./manifest.ts");
      return manifestCommand(rest);
    }
    case "help":
    case "--help":
    case "-h":
      console.log(USAGE);
      return 0;
    case undefined:
    default:
      console.error(command === undefined ? USAGE : `parley: unknown command "${command}"\n\n${USAGE}`);
      return 1;
  }
};
