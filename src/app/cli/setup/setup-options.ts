/** Command line of `parley setup`. Answers are flags or environment variables. */

import { closestMatch } from "../../../text/closest-match.ts";
import { PLATFORMS } from "../../chat/platforms.ts";

export interface SetupOptions {
  /** Values of flags, by the name of the answer. */
  readonly answers: ReadonlyMap<string, string>;
  readonly update: boolean;
  readonly yes: boolean;
}

export const SURFACE = "SETUP_SURFACE";
export const CHANNEL = "SETUP_CHANNEL";
export const MODEL_KEY = "SETUP_MODEL_KEY";
export const WAIT = "SETUP_WAIT";
export const GITHUB_TOKEN = "GITHUB_TOKEN";

/** The name of an answer is its environment variable. */
const ANSWERS: readonly (readonly [flag: string, name: string, meaning: string])[] = [
  ["--surface", SURFACE, `${PLATFORMS.map(({ name }) => name).join(", ")} or console`],
  ["--bot-token", "SLACK_BOT_TOKEN", "bot token of the Slack app (xoxb-…)"],
  ["--app-token", "SLACK_APP_TOKEN", "app-level token of the Slack app (xapp-…)"],
  ["--config-token", "SLACK_CONFIG_TOKEN", "app configuration token of Slack, which creates the app"],
  ["--refresh-token", "SLACK_CONFIG_REFRESH_TOKEN", "refresh token of the app configuration token"],
  ["--token", "DISCORD_TOKEN", "bot token of the Discord application"],
  ["--model", "PARLEY_MODEL", "provider/name, a key, the address of a server, local or demo"],
  ["--key", MODEL_KEY, "key of the model's provider"],
  ["--repos", "PARLEY_REPOS", "paths, addresses, owner/name or owner/*, comma-separated, or none"],
  ["--github-token", GITHUB_TOKEN, "token for private repositories on github.com"],
  ["--approvers", "PARLEY_APPROVERS", "host approvers, comma-separated"],
  ["--channel", CHANNEL, "channel (id or name) that gets the repository"],
  ["--port", "PARLEY_PORT", "port of the console"],
  ["--wait", WAIT, "seconds to wait for the bot to appear in a server; 60 without a terminal"],
];

export const setupUsage = (): string => {
  const width = Math.max(...ANSWERS.map(([flag, name]) => flag.length + name.length)) + 3;
  const lines = ANSWERS.map(([flag, name, meaning]) => `  ${`${flag}, ${name}`.padEnd(width)}${meaning}`);
  const surfaces = [...PLATFORMS.map(({ name }) => name), "console"].join(" | ");
  return [
    `Usage: parley setup [${surfaces}] [--update] [--yes] [OPTION VALUE]…`,
    "",
    ...lines,
    `  ${"--update".padEnd(width)}compare the app on the platform with the manifest, and change it`,
    `  ${"--yes".padEnd(width)}ask nothing: take the answers from options, environment and .env`,
  ].join("\n");
};

/** Whether a variable is an answer of setup. */
export const isSetupAnswer = (name: string): boolean => ANSWERS.some(([, variable]) => variable === name);

/** Answers without which a platform cannot be connected. */
export const requiredAnswers = (platform: string): readonly string[] =>
  ANSWERS.map(([, name]) => name).filter(
    (name) => name.startsWith(`${platform.toUpperCase()}_`) && !name.includes("_CONFIG_"),
  );

/** Flag and variable, as a message names them. */
export const answerName = (name: string): string => {
  const flag = ANSWERS.find(([, variable]) => variable === name)?.[0];
  return flag === undefined ? name : `${flag} (${name})`;
};

/** A string is a problem with the arguments. */
export const readSetupOptions = (args: readonly string[]): SetupOptions | string => {
  const answers = new Map<string, string>();
  const switches = { "--update": false, "--yes": false };
  for (let index = 0; index < args.length; index += 1) {
    const [arg, attached] = splitFlag(args[index] ?? "");
    if (arg === "--update" || arg === "--yes") {
      switches[arg] = true;
      continue;
    }
    if (!arg.startsWith("-")) {
      if (answers.has(SURFACE)) return `There is more than one surface: leave out "${arg}".`;
      answers.set(SURFACE, arg);
      continue;
    }
    const name = ANSWERS.find(([flag]) => flag === arg)?.[1];
    if (name === undefined) return unknown(arg);
    const value = attached ?? args[(index += 1)];
    if (value === undefined || value === "") return `${arg} needs a value: write it after the option.`;
    answers.set(name, value);
  }
  return { answers, update: switches["--update"], yes: switches["--yes"] };
};

const splitFlag = (arg: string): readonly [string, string | undefined] => {
  const at = arg.startsWith("--") ? arg.indexOf("=") : -1;
  return at < 0 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)];
};

const unknown = (arg: string): string => {
  const close = closestMatch(
    arg,
    ANSWERS.map(([flag]) => flag),
  );
  const guess = close === null ? "" : ` Did you mean ${close}?`;
  return `${arg} is not an option of setup.${guess} See parley setup --help.`;
};
