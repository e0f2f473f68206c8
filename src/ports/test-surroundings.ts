/** Variables and services for the tests that the host runs for a draft. No member throws or rejects. */

export interface TestSurroundings {
  prepare(test: HostTest): Promise<TestPreparation>;
}

export interface HostTest {
  readonly command: string;
  /** Names of secrets that an approver allowed for this run of the command. */
  readonly allowed: readonly string[];
  /** Host and path of the repository, `github.com/acme/shop`, or the path of a local one. */
  readonly repo: string;
  /** Reads a file of the conversation's commit, which no draft changes. */
  readonly read: (path: string, mostBytes: number) => Promise<BaseFile>;
}

export type BaseFile =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "none" }
  /** One sentence. */
  | { readonly kind: "unusable"; readonly why: string };

export type TestPreparation =
  /** The command runs without additions. */
  | { readonly kind: "plain" }
  /** The command does not run. `why`: for people, in English. */
  | { readonly kind: "unable"; readonly why: string }
  | {
      readonly kind: "ready";
      readonly env: Readonly<Record<string, string>>;
      /** Bash script that starts services and runs the command `$1`; null without services. Gets a loopback interface. */
      readonly script: string | null;
      /** Line below the output, for people; null if there is nothing to say. */
      readonly note: string | null;
      /** Removes the values of `env` that are secret. `isCut`: whether the output's beginning is missing. */
      readonly mask: (output: string, isCut: boolean) => string;
    };
