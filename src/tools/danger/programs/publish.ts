/** Programs beside git and the package managers that make something public. */
import { readOptions } from "../../shell/options.ts";
import { leadingText, type Word } from "../../shell/word.ts";
import { type Finding, finding } from "../danger.ts";

/** What is published, by a program's first operands. */
const PUBLISHING: Readonly<Record<string, RegExp>> = {
  twine: /^upload/,
  gh: /^(?:release (?:create|upload|edit|delete)|pr (?:create|merge|close|reopen|comment|review|edit)|issue (?:create|close|comment|edit|delete|reopen)|repo (?:create|delete|edit|rename|archive|fork)|gist create|workflow run|secret set)/,
  glab: /^(?:release (?:create|upload|delete)|mr (?:create|merge|close|note|update)|issue (?:create|close|note|update)|repo create|ci run)/,
  hub: /^(?:release (?:create|edit|delete)|pull-request|create|push)/,
  docker: /^(?:push|image push|buildx build .*--push|compose push|manifest push)/,
  podman: /^(?:push|image push|manifest push)/,
  mvn: /(?:^| )(?:\S*:)?(?:deploy|release:perform|release:prepare)(?: |$)/,
  gradle: /(?:^| ):?(?:[\w-]+:)*publish\w*(?: |$)/,
  gradlew: /(?:^| ):?(?:[\w-]+:)*publish\w*(?: |$)/,
  goreleaser: /^(?:release|publish)/,
  lerna: /^(?:publish|version)/,
  changeset: /^(?:publish|version|tag)/,
  "semantic-release": /^/,
  "release-it": /^/,
  "standard-version": /^/,
  "npm-publish": /^/,
  vsce: /^publish/,
  flit: /^publish/,
  hatch: /^publish/,
  just: /^(?:release|publish|deploy)(?: |$)/,
  aurpublish: /^/,
  hg: /^(?:commit|ci|push|tag)/,
  svn: /^(?:commit|ci|import)/,
  jj: /^git push/,
  fossil: /^(?:commit|ci|push|sync|publish)/,
  bzr: /^(?:commit|ci|push)/,
};

/** GIT_PUBLISH for what is no git. */
export const publishFindings = (program: string, args: readonly Word[]): readonly Finding[] => {
  const pattern = Object.hasOwn(PUBLISHING, program) ? PUBLISHING[program] : undefined;
  if (pattern === undefined) return [];
  const { options, operands } = readOptions(args, { short: "CfR", long: ["repo"], permute: true });
  if (options.some(({ name }) => INERT.has(name))) return [];
  const call = operands.map(leadingText).join(" ");
  return pattern.test(call) ? [finding("GIT_PUBLISH", `publishes: ${`${program} ${call}`.trim()}`)] : [];
};

const INERT: ReadonlySet<string> = new Set(["dry-run", "help", "snapshot", "version"]);
