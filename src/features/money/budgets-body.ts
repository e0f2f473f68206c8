/** `mostUsd` is null for no limit. */
export interface BudgetsBody {
  readonly renewsAt: number;
  readonly budgets: readonly {
    readonly scope: string;
    readonly spentUsd: number;
    readonly mostUsd: number | null;
    readonly isSet: boolean;
  }[];
}
