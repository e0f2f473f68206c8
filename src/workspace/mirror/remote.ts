/** How git reaches a source: the address it is given, and what of the host or the network it may see for that. */

import type { Mount, SandboxPolicy, Sandbox } from "../../../sandbox/types.ts";
import type { Door, Doors } from "../../ports/forge.ts";
import { SEEN, seenAt } from "../disk/layout.ts";
import { InTheWay } from "../run/git-trouble.ts";
import { inspectLocal } from "./local.ts";
import type { RepositorySource } from "./source.ts";

export interface Remote {
  readonly address: string;
  /** The one `host:port` that git may reach, or the door that it goes through. */
  readonly network: Pick<SandboxPolicy, "network" | "egressTo" | "door">;
  readonly mounts: readonly Mount[];
  readonly config: Readonly<Record<string, string>>;
  /** Options for the verbs that talk to the remote. */
  readonly options: readonly string[];
  /** A detached HEAD of the console's own repository is taken too: it is what the person looks at. */
  readonly takesDetached: boolean;
}

/** Through a door where the host has a credential for the source; what is refused behind it is the reason told. */
export const withDoor = async <T>(
  doors: Doors | null,
  source: RepositorySource,
  work: (door: Door | null) => Promise<T>,
): Promise<T> => {
  const door =
    source.kind === "path" || doors === null ? null : await doors.open({ kind: "url", location: source.url });
  try {
    return await work(door);
  } catch (error) {
    const refusal = error instanceof InTheWay ? (door?.refusal() ?? null) : null;
    throw refusal === null ? error : new InTheWay(refusal);
  } finally {
    await door?.close();
  }
};

export const reach = async (
  sandbox: Sandbox,
  source: RepositorySource,
  certificates: string | null,
  door: Door | null,
): Promise<Remote> => {
  if (door !== null) return throughDoor(door);
  if (source.kind === "url") return overNetwork(sandbox, source, certificates);
  const { common, inside } = await inspectLocal(source.path);
  const mount = { source: common, target: SEEN.source, write: false };
  const seen = seenAt(sandbox, mount);
  return {
    address: inside === "" ? seen : `${seen}/${inside}`,
    network: { network: "none" },
    mounts: [mount],
    config: { "protocol.file.allow": "always" },
    /*
     * The serving side gets none of our configuration by itself, and would refuse another user's directory. It is
     * told not to search for new deltas: between two directories of one machine that costs more than it saves.
     */
    options: ["--upload-pack=git -c safe.directory=* -c pack.window=0 upload-pack"],
    takesDetached: true,
  };
};

/** The host goes on from there, with the credential. */
const throughDoor = ({ port, address, config }: Door): Remote => ({
  address,
  network: { network: "egress", egressTo: [], door: port },
  mounts: [],
  config,
  options: [],
  takesDetached: false,
});

const overNetwork = (
  sandbox: Sandbox,
  source: Extract<RepositorySource, { kind: "url" }>,
  certificates: string | null,
): Remote => {
  const mount = { source: certificates ?? "", target: SEEN.certificates, write: false };
  const trust = certificates === null ? {} : { "http.sslCAInfo": seenAt(sandbox, mount) };
  return {
    address: source.url,
    network: { network: "egress", egressTo: [`${source.host}:${source.port}`] },
    mounts: certificates === null ? [] : [mount],
    config: { [`protocol.${source.transport}.allow`]: "always", ...trust },
    options: [],
    takesDetached: false,
  };
};
