import type { DeclaredTests } from "./declared-rows.ts";

interface NamedSecret {
  readonly repo: string;
  readonly name: string;
}

/** Secrets that repositories declare and that are not stored. */
export const missingSecrets = (
  declared: readonly Pick<DeclaredTests, "repo" | "secrets">[],
  stored: readonly NamedSecret[],
): readonly NamedSecret[] =>
  declared.flatMap(({ repo, secrets }) =>
    secrets
      .filter((name) => !stored.some((one) => one.repo === repo && one.name === name))
      .map((name) => ({ repo, name })),
  );
