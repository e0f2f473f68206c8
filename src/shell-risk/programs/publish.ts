import { readOptions } from "../shell/options.ts";
import { leadingText, type Word } from "../shell/word.ts";
import { type DangerFinding, finding } from "../danger/danger.ts";
import { tableOf } from "../shell/table.ts";
import { optionRule } from "./usage.ts";

const PUBLISHING = tableOf({
  gh: /^(?:release (?:create|upload|edit|delete)|pr (?:create|merge|close|reopen|comment|review|edit)|issue (?:create|close|comment|edit|delete|reopen)|repo (?:create|delete|edit|rename|archive|fork)|gist create|workflow run|secret set)/,
  glab: /^(?:release (?:create|upload|delete)|mr (?:create|merge|close|note|update)|issue (?:create|close|note|update)|repo create|ci run)/,
  hub: /^(?:release (?:create|edit|delete)|pull-request|create|push)/,
  "docker podman": /^(?:push|image push|buildx build .*--push|compose push|manifest push)/,
  "mvn gradle gradlew": /(?:^|[ :])(?:deploy|release:perform|release:prepare|publish\w*)(?: |$)/,
  changeset: /^(?:publish|version|tag)/,
  lerna: /^(?:publish|version)/,
  "semantic-release release-it standard-version": /^/,
  "hg svn jj fossil bzr": /^(?:commit|ci|push|tag|import|sync|git push)(?: |$)/,
});

export const publishFindings = (program: string, args: readonly Word[]): readonly DangerFinding[] => {
  const pattern = PUBLISHING.get(program);
  return pattern === undefined ? [] : published(program, args, pattern);
};

/** For unknown programs: `twine upload`, `lerna publish`, `just release`. */
export const unknownFindings = (program: string, args: readonly Word[]): readonly DangerFinding[] =>
  published(program, args, ANY);

/** For a script or target of the project whose text is not read. */
export const scriptFindings = (name: string): readonly DangerFinding[] =>
  SCRIPT.test(name) ? [finding("GIT_PUBLISH", `runs the script ${name}`)] : [];

const SCRIPT = /^(?:release|publish|deploy)(?::[\w:-]+)?$/;

const ANY = /^(?:publish|upload|release|deploy)(?: |$)/;

const published = (program: string, args: readonly Word[], pattern: RegExp): readonly DangerFinding[] => {
  const { options, operands } = readOptions(args, optionRule("C f R repo"));
  if (options.some(({ name }) => INERT.has(name))) return [];
  const call = operands.map(leadingText).join(" ");
  return pattern.test(call) ? [finding("GIT_PUBLISH", `publishes: ${`${program} ${call}`.trim()}`)] : [];
};

const INERT: ReadonlySet<string> = new Set(["dry-run", "help", "snapshot", "version"]);
