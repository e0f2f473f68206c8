import { join, resolve } from "node:path";
import type { Mount, Probe } from "../../../sandbox/types.ts";
import type { ConversationId } from "../../machine/id.ts";

/** Paths as commands see them if the sandbox can mount (D26); otherwise commands see the host's paths. */
export const SANDBOX_PATHS = {
  work: "/work",
  /** Parent of several repositories: one directory for each, by name. */
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
  files: "/files",
} as const;

export const sandboxPathOf = ({ probe }: { readonly probe: Pick<Probe, "mounts"> }, mount: Mount): string =>
  probe.mounts ? mount.target : mount.source;

export type Layout = Readonly<ReturnType<typeof createLayout>>;

export const createLayout = (data: string) => {
  const repository = (key: string): string => join(data, "repos", key);
  const trees = (key: string, generation: number): string => join(data, "trees", key, String(generation));
  const prepared = (repo: string, setUp: string): string => join(data, "prepared", repo, setUp);
  return {
    /** Unfinished files and directories: renamed into place when complete, cleared at start. */
    staging: join(data, "staging"),
    slots: join(data, "slots"),
    preparations: join(data, "prepared"),
    /** Directories that commands may see in part. */
    passages: ["repos", "trees", "threads", "prepared"].map((name) => join(data, name)),
    repository,
    generation: (key: string, generation: number): string => join(repository(key), `${generation}.git`),
    /** Exists while a fetch may have brought objects that no ref of the mirror reaches. */
    dirty: (key: string, generation: number): string => join(repository(key), `${generation}.dirty`),
    pins: (key: string, generation: number): string => join(repository(key), "pins", String(generation)),
    trees,
    tree: (key: string, generation: number, commit: string): string => join(trees(key, generation), commit),
    preparedTree: (key: string, generation: number, commit: string, setUp: string): string =>
      join(trees(key, generation), `${commit}-${setUp}`),
    prepared,
    setUpLog: (repo: string, setUp: string): string => `${prepared(repo, setUp)}.log`,
    threads: join(data, "threads"),
    thread: (id: ConversationId): string => join(data, "threads", id),
    /** Copies of files that messages brought. */
    files: (id: ConversationId): string => join(data, "threads", id, "files"),
  };
};

/** Every checkout borrows the mirror's objects (D28). */
export const objectsMount = (generation: string): Mount => ({
  source: join(generation, "objects"),
  target: SANDBOX_PATHS.objects,
  write: false,
});

/** `data`: PARLEY_DATA. Returns the directory of a conversation's files as commands see it. */
export const filesSeenIn =
  (sandbox: Parameters<typeof sandboxPathOf>[0], data: string) =>
  (id: ConversationId): string =>
    sandboxPathOf(sandbox, filesMount(createLayout(resolve(data)), id));

export const filesMount = (layout: Pick<Layout, "files">, id: ConversationId): Mount => ({
  source: layout.files(id),
  target: SANDBOX_PATHS.files,
  write: false,
});

/** Whether an id is safe as the name of a directory and a ref. */
export const isPlainId = (id: string): id is ConversationId => /^c-[A-Za-z0-9_-]{1,100}$/.test(id);
