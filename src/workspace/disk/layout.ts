/** Where the workspace keeps things below PARLEY_DATA, and the fixed paths under which commands see them. Pure. */

import { join } from "node:path";
import type { Mount, Probe } from "../../../sandbox/types.ts";
import type { ConversationId } from "../../machine/id.ts";

/** Paths as commands see them where the sandbox can mount (D26); elsewhere they see the host's. */
export const SANDBOX_PATHS = {
  work: "/work",
  /** Where there are several repositories: a directory of each, by its name. */
  several: "/repos",
  home: "/home/agent",
  objects: "/repo/objects",
  mirror: "/mirror",
  previous: "/previous",
  drop: "/drop",
  source: "/source",
  archive: "/archive",
  prepared: "/prepared",
  certificates: "/certificates.pem",
  background: "/background",
} as const;

/** How commands see a mount. */
export const sandboxPathOf = ({ probe }: { readonly probe: Pick<Probe, "mounts"> }, mount: Mount): string =>
  probe.mounts ? mount.target : mount.source;

export type Layout = Readonly<ReturnType<typeof createLayout>>;

export const createLayout = (data: string) => {
  const repository = (key: string): string => join(data, "repos", key);
  const trees = (key: string, generation: number): string => join(data, "trees", key, String(generation));
  const prepared = (repo: string, setUp: string): string => join(data, "prepared", repo, setUp);
  return {
    /** Things in the making: renamed into place when whole, emptied at start. */
    staging: join(data, "staging"),
    slots: join(data, "slots"),
    /** What set-ups left, by repository. */
    preparations: join(data, "prepared"),
    /** Directories of which commands may see some part. */
    passages: ["repos", "trees", "threads", "prepared"].map((name) => join(data, name)),
    repository,
    generation: (key: string, generation: number): string => join(repository(key), `${generation}.git`),
    /** Present while a fetch may have brought objects that no ref of the mirror accounts for. */
    dirty: (key: string, generation: number): string => join(repository(key), `${generation}.dirty`),
    pins: (key: string, generation: number): string => join(repository(key), "pins", String(generation)),
    trees,
    tree: (key: string, generation: number, commit: string): string => join(trees(key, generation), commit),
    /** The same with what a set-up left. */
    preparedTree: (key: string, generation: number, commit: string, setUp: string): string =>
      join(trees(key, generation), `${commit}-${setUp}`),
    prepared,
    /** What a set-up wrote the last time that it ran. */
    setUpLog: (repo: string, setUp: string): string => `${prepared(repo, setUp)}.log`,
    /** Directories of conversations, by id. */
    threads: join(data, "threads"),
    thread: (id: ConversationId): string => join(data, "threads", id),
  };
};

/** The mirror's objects as every checkout borrows them (D28). */
export const objectsMount = (generation: string): Mount => ({
  source: join(generation, "objects"),
  target: SANDBOX_PATHS.objects,
  write: false,
});

/** Ids become names of directories and refs: whatever else they may be, they must be plain. */
export const isPlainId = (id: string): id is ConversationId => /^c-[A-Za-z0-9_-]{1,100}$/.test(id);
