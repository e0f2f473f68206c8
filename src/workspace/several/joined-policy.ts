/** Each repository is mounted below `/repos`, read-only except for the writable one. */

import type { Mount, SandboxPolicy } from "../../../sandbox/types.ts";
import { SANDBOX_PATHS } from "../disk/layout.ts";

interface PolicyPart {
  readonly name: string;
  readonly policy: SandboxPolicy;
}

/** `own` is one of `parts`, under the permission of the command; the others are Restricted. */
export const joinedPolicy = (own: PolicyPart, parts: readonly PolicyPart[]): SandboxPolicy => ({
  ...own.policy,
  cwd: SANDBOX_PATHS.several,
  mounts: [
    // Layers can be mounted only once, so a layered repository is mounted below `/repos` alone.
    ...own.policy.mounts.filter(
      ({ target, under = [] }) => target !== SANDBOX_PATHS.work || under.length === 0,
    ),
    ...parts.flatMap(({ name, policy }): readonly Mount[] =>
      seenAt(policy, SANDBOX_PATHS.work).map((mount) => ({
        ...mount,
        target: `${SANDBOX_PATHS.several}/${name}`,
        write: name === own.name && policy.profile !== "restricted",
      })),
    ),
    ...borrowed(own, parts),
  ],
});

/** Lets git find the objects of the other repositories: all checkouts name the same path for their objects. */
export const objectsEnvironment = (
  own: PolicyPart,
  parts: readonly PolicyPart[],
): Readonly<Record<string, string>> => ({
  GIT_ALTERNATE_OBJECT_DIRECTORIES: borrowed(own, parts)
    .map(({ target }) => target)
    .join(":"),
});

const borrowed = (own: PolicyPart, parts: readonly PolicyPart[]): readonly Mount[] =>
  parts
    .filter(({ name }) => name !== own.name)
    .flatMap(({ policy }, index) =>
      seenAt(policy, SANDBOX_PATHS.objects).map(({ source }) => ({
        source,
        target: `${SANDBOX_PATHS.objects}-${index + 1}`,
        write: false,
      })),
    );

const seenAt = ({ mounts }: SandboxPolicy, place: string): readonly Mount[] =>
  mounts.filter(({ target }) => target === place);
