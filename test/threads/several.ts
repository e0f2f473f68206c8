/** A channel of several repositories, one of which is not there any more, as its threads find it. */

import type { Base } from "../../src/ports/conversation.ts";
import { severalOf } from "../../src/ports/conversation.ts";
import { createUpgradeTool } from "../../src/tools/request-mode-upgrade.ts";
import { plainWorkspaces } from "../plain-workspaces.ts";
import type { StageOptions } from "./stage.ts";

const COMMIT = "abc1234567";
const LOST = "legacy";

const sideBySide = plainWorkspaces(({ repo }) => {
  const [first, ...beside] = severalOf(repo).filter(({ name }) => name !== LOST);
  const at = { commit: COMMIT, ref: "main" };
  const alone: Base = { ...at, cwd: "/work" };
  const several = first !== undefined && {
    ...at,
    cwd: "/repos",
    name: first.name,
    beside: beside.map(({ name }) => ({ ...at, name })),
    missing: [{ name: LOST, why: "github.com/acme/legacy was not found." }],
  };
  return several === false ? alone : several;
});

const at = (name: string) =>
  ({ kind: "url", location: `https://github.com/acme/${name}.git`, name }) as const;

export const severalRepositories: Pick<StageOptions, "workspaces" | "env" | "repo"> = {
  workspaces: sideBySide,
  repo: { ...at("api"), beside: [at("web"), at(LOST)] },
  env: { PARLEY_REPOS: "acme/api,acme/web,acme/legacy" },
};

export const severalIntent: NonNullable<NonNullable<StageOptions["tools"]>["intent"]> = (
  name,
  input,
  folders = [],
) => (name === upgrade.spec.name ? upgrade.intent(input, folders) : null) ?? { intent: "tool" };

const upgrade = createUpgradeTool();
