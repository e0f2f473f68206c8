/** Answer to the console's page. */
export interface SecretsBody {
  readonly secrets: readonly {
    readonly repo: string;
    readonly name: string;
    /** Null if the person was erased. */
    readonly by: string | null;
    readonly at: number;
    /** Whether a channel, or the console, works on the repository. */
    readonly isUsed: boolean;
  }[];
  /** Secrets that repositories declare and that are not stored. */
  readonly missing: readonly { readonly repo: string; readonly name: string }[];
  /** Repositories of channels and of the console. */
  readonly repos: readonly string[];
}
