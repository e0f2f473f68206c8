/** Opens draft pull requests from drafts that people have reviewed (src/ports/draft-pulls.ts). */

import type { MergedPull } from "../../../ports/draft-pulls.ts";
import type { WritableForges } from "../ports/forge-writer.ts";
import type { ApprovedPull, DraftPulls } from "../../../ports/draft-pulls.ts";
import type { ForgeResult } from "../../../ports/forge.ts";
import { unless } from "../../../tools/tool.ts";
import { openPullOf, type PullDeps, resumePull } from "./pull-write.ts";
import { NOBODY_CONNECTED, type WritesInName } from "../people/in-name.ts";
import { inNameOf, type WriteContext } from "./writes.ts";

export const createDraftPulls = (
  forges: WritableForges,
  outgoing: PullDeps,
  names: WritesInName = NOBODY_CONNECTED,
): DraftPulls => ({
  at: (repo) => {
    const located = forges.at(repo);
    if (located.kind === "none") return located;
    const { project } = located;
    const { desk, name } = project;
    if (desk === null) return { kind: "none", why: `Nothing may be written to ${name}.` };
    const sceneOf = ({ run, errand, signal }: ApprovedPull): WriteContext => ({
      run,
      project,
      signal,
      ...inNameOf(names, { ...project, desk }, run, errand),
    });
    return {
      kind: "project",
      name,
      named: (run, given) => names.fact(project, run, "open_pull_request", given),
      resume: (pull) =>
        answering<MergedPull | null>(async () => {
          const resumed = await resumePull(outgoing, pull, pull.errand, sceneOf(pull));
          return resumed ?? { kind: "found", value: null };
        }),
      open: (pull) =>
        answering(() =>
          openPullOf(outgoing, { input: pull, commits: pull.commits }, pull.errand, sceneOf(pull)),
        ),
    };
  },
});

const answering = <T>(work: () => Promise<ForgeResult<T>>): Promise<ForgeResult<T>> =>
  unless(work, ({ message: why, perhaps }) => ({
    kind: "trouble",
    why,
    ...(perhaps ? { perhaps } : {}),
  }));
