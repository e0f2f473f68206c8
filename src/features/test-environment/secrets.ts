/** Secrets of repositories for tests. Values are sealed in the store, and no member returns them to people. */

import type { Core } from "../../feature.ts";
import type { PersonId } from "../../machine/id.ts";
import type { Done } from "../../ports/host.ts";
import type { OpenedSeal, SealKey } from "../../ports/sealing.ts";
import { openSealedText, sealText } from "../../store/base/seal.ts";
import type { TestSecretRow, TestSecretRows } from "./rows.ts";
import { formsOfSecret, MAX_SECRET, MIN_SECRET } from "./secret-forms.ts";

/** Limit for one repository. */
const MOST = 50;

export const isStorableSecret = (value: string): boolean =>
  value.length >= MIN_SECRET && value.length <= MAX_SECRET && !value.includes("\0") && value.isWellFormed();

export type ListedSecret = Omit<TestSecretRow, "sealed">;

export type SecretResult =
  | Done
  | { readonly kind: "full"; readonly count: number }
  /** A sentence for the operator. */
  | { readonly kind: "no key"; readonly why: string };

export interface TestSecrets {
  /** Ordered by name. */
  listed(repo: string): readonly ListedSecret[];
  all(): readonly ListedSecret[];
  set(secret: {
    readonly repo: string;
    readonly name: string;
    readonly value: string;
    readonly by: PersonId;
  }): Promise<SecretResult>;
  /** False if the repository has no such secret. */
  remove(repo: string, name: string): Promise<Done | { readonly kind: "unknown" }>;
  /** Returns the values of the secrets that are set and that this host can open. */
  open(repo: string, names: readonly string[]): Readonly<Record<string, string>>;
  /** Masks all stored values, also those that another host stored. */
  learn(): void;
}

type SecretsDeps = Pick<Core, "sealKey" | "learnSecret" | "clock" | "log"> & {
  readonly rows: TestSecretRows;
};

export const createTestSecrets = ({ rows, sealKey, learnSecret, clock, log }: SecretsDeps): TestSecrets => {
  const openRow = (row: TestSecretRow): string | null => {
    const { repo, name } = row;
    const key = sealKey();
    const opened = key.kind === "key" ? openTestSecret(key, row) : key;
    if (opened.kind === "opened") return opened.text;
    log.warn("tests: stored secret cannot be opened", { repo, name, why: opened.kind });
    return null;
  };
  const learnValue = (value: string): void => formsOfSecret(value).forEach(learnSecret);
  return {
    listed: (repo) => rows.of(repo).map(withoutValue),
    all: () => rows.all().map(withoutValue),
    set: async ({ repo, name, value, by }) => {
      const key = sealKey();
      if (key.kind === "unusable") return { kind: "no key", why: key.why };
      const others = rows.of(repo).filter((one) => one.name !== name);
      if (others.length >= MOST) return { kind: "full", count: others.length };
      learnValue(value);
      const sealed = sealText(key, value, contextOf(repo, name));
      return rows.put({ repo, name, sealed, by, at: clock.now() });
    },
    remove: async (repo, name) =>
      rows.of(repo).some((one) => one.name === name) ? rows.remove(repo, name) : { kind: "unknown" },
    open: (repo, names) =>
      Object.fromEntries(
        rows.of(repo).flatMap((row) => {
          const value = names.includes(row.name) ? openRow(row) : null;
          if (value === null) return [];
          learnValue(value);
          return [[row.name, value]];
        }),
      ),
    learn: () => {
      for (const row of rows.all()) {
        const value = openRow(row);
        if (value !== null) learnValue(value);
      }
    },
  };
};

export const openTestSecret = (key: SealKey, { repo, name, sealed }: TestSecretRow): OpenedSeal =>
  openSealedText(key, sealed, contextOf(repo, name));

const contextOf = (repo: string, name: string): readonly string[] => ["test secret", repo, name];

const withoutValue = ({ repo, name, by, at }: TestSecretRow): ListedSecret => ({ repo, name, by, at });
