/** Repositories by the id that their forge gives them for life: one that was renamed is still the one that a channel works on. */

import * as z from "zod";
import type { Log } from "../../../ports/host.ts";
import type { Forge } from "../store/watches.ts";
import { createRemembered } from "../../../text/remembered.ts";

/** Repositories that are remembered, and that the log names. */
const MOST = 1_000;

const named = z.object({ id: z.int() });
const body = z.object({ repository: named.optional(), project: named.optional() });

export const createRenamed = (log: Pick<Log, "info" | "warn">) => {
  const paths = createRemembered<string>(MOST);
  const told = createRemembered<true>(MOST);
  const once = (key: string, tell: () => void): void => {
    if (told.get(key) === undefined) tell();
    told.set(key, true);
  };
  /**
   * The name under which a channel works on the repository of an event, if one does; else the event's own. `watched`: host and
   * path of the repositories that channels work on.
   */
  return (forge: Forge, event: unknown, repo: string, watched: readonly string[]): string => {
    const { data } = body.safeParse(event);
    const id = (forge === "github" ? data?.repository : data?.project)?.id;
    const key = `${forge} ${id ?? ""}`;
    if (watched.includes(repo)) {
      if (id !== undefined) paths.set(key, repo);
      return repo;
    }
    const before = id === undefined ? undefined : paths.get(key);
    if (before !== undefined && watched.includes(before)) {
      once(`${before} ${repo}`, () =>
        log.warn("hook: repository renamed; bind its channels to the new name", { from: before, to: repo }),
      );
      return before;
    }
    if (watched.length > 0)
      once(repo, () => log.info("hook: event of a repository that no watching channel works on", { repo }));
    return repo;
  };
};
