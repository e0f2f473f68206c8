/**
 * The host's own access to a git remote over https: reads the commits of its branches, and pushes one branch.
 * The credential is sent only in a header of these requests. No process, file, argument or environment
 * contains it, and redirects are not followed.
 */

import type { ForgeResult } from "../../../ports/forge.ts";
import type { PushedBranch } from "../ports/forge-writer.ts";
import { type Address, projectName } from "../../../ports/address.ts";
import type { ForgeHttp } from "./http.ts";
import { isUntrustedHost, untrustedHost } from "./ask.ts";
import { advertised, type AdvertisedRefs, pushRequest, reportOf } from "./git-protocol.ts";

export interface RemoteCredential {
  readonly user: string;
  readonly password: string;
}

export interface RemoteAccess {
  /** Root of the repositories, such as `https://HOST`. */
  readonly root: string;
  /** Credential for the remote; null for a public remote. Rejects if the credential cannot be obtained. */
  readonly credential: () => Promise<RemoteCredential | null>;
  readonly userAgent: string;
  readonly wire: ForgeHttp;
  /** The forge's name for the right to push. */
  readonly right: string;
}

interface Remote {
  branches(signal: AbortSignal): Promise<ForgeResult<ReadonlyMap<string, string>>>;
  push(push: PushedBranch, signal: AbortSignal): Promise<ForgeResult<null>>;
}

/** Maximum size of a list of refs, in bytes. */
const MAX_LIST = 32 * 2 ** 20;

interface Sent {
  readonly method?: "POST";
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

export const createRemote = (address: Address, access: RemoteAccess): Remote => {
  const project = projectName(address);
  const base = `${access.root}/${address.owner}/${address.name}.git`;

  const request = async (path: string, init: Sent, signal: AbortSignal): Promise<Response> => {
    const credential = await access.credential();
    return access.wire.fetch(`${base}${path}`, {
      ...init,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(access.wire.pushTime)]),
      headers: {
        ...init.headers,
        "user-agent": access.userAgent,
        ...authorization(credential),
      },
    });
  };

  const list = async (signal: AbortSignal): Promise<AdvertisedRefs> => {
    const response = await request("/info/refs?service=git-receive-pack", {}, signal);
    if (response.status !== 200) throw new Refused(refusal(project, access.right, response.status));
    const body = await response.bytes();
    const refs = body.length > MAX_LIST ? null : advertised(body);
    if (refs === null) throw new Refused(`${project} does not answer as a git repository.`);
    return refs;
  };

  const send = async (push: PushedBranch, refs: AdvertisedRefs, signal: AbortSignal): Promise<null> => {
    const response = await request(
      "/git-receive-pack",
      {
        method: "POST",
        body: pushRequest(push, refs),
        headers: {
          "content-type": "application/x-git-receive-pack-request",
          accept: "application/x-git-receive-pack-result",
        },
      },
      signal,
    );
    if (response.status >= 500) throw new Error(`status ${response.status}`);
    if (response.status !== 200) throw new Refused(refusal(project, access.right, response.status));
    const said = reportOf(await response.bytes(), push.branch);
    if (said !== null) throw new Refused(`${project} did not take the branch ${push.branch}: ${said}`);
    return null;
  };

  /** Null if the request received no answer. */
  const attempt = async <T>(signal: AbortSignal, task: () => Promise<T>): Promise<ForgeResult<T> | null> => {
    try {
      return { kind: "found", value: await task() };
    } catch (error) {
      if (error instanceof Refused) return trouble(error.message);
      if (signal.aborted) return trouble("The request was cancelled.");
      return isUntrustedHost(error) ? trouble(untrustedHost(address.host)) : null;
    }
  };

  const arrived = async ({ branch, to }: PushedBranch, signal: AbortSignal): Promise<ForgeResult<null>> => {
    const after = await attempt(signal, () => list(signal));
    const isThere = after?.kind === "found" && after.value.branches.get(branch) === to;
    return isThere ? { kind: "found", value: null } : unreachable;
  };

  const unreachable = trouble(
    `${project} cannot be reached, or its credential cannot be used; try again later.`,
  );

  return {
    branches: async (signal) =>
      (await attempt(signal, async () => (await list(signal)).branches)) ?? unreachable,
    push: async (push, signal) => {
      const once = (): Promise<ForgeResult<null> | null> =>
        attempt(signal, async () => {
          const refs = await list(signal);
          const at = refs.branches.get(push.branch) ?? null;
          if (at === push.to) return null;
          if (at !== push.from) throw new Refused(moved(project, push.branch));
          return send(push, refs, signal);
        });
      // The answer was lost, but the push may have arrived. A branch that is already at the commit is not pushed again.
      return (await once()) ?? (await once()) ?? (await arrived(push, signal));
    },
  };
};

/** The remote has answered with a refusal. */
class Refused extends Error {}

const trouble = (why: string): ForgeResult<never> => ({ kind: "trouble", why });

/** The header that carries the credential. */
export const authorization = (credential: RemoteCredential | null): Readonly<Record<string, string>> => {
  if (credential === null) return {};
  const { user, password } = credential;
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
};

const moved = (project: string, branch: string): string =>
  `Somebody else has pushed to ${branch} of ${project} meanwhile: nothing was pushed over it.`;

const refusal = (project: string, right: string, status: number): string => {
  if (status === 401 || status === 403 || status === 404) {
    return `Parley's credential may not push to ${project}: it lacks ${right}, or the repository is not there. Parley proposes from a branch of the repository itself, never from a fork, so whoever administers ${project} has to let it push there.`;
  }
  if (status >= 300 && status < 400) {
    return `${project} has moved: bind the channel to it under its new name.`;
  }
  return `${project} does not take a push now (status ${status}); try again later.`;
};
