/** What was spent today and how much may be; `mostUsd` null: no bound. */
export interface BudgetsBody {
  readonly renewsAt: number;
  readonly budgets: readonly {
    readonly scope: string;
    readonly spentUsd: number;
    readonly mostUsd: number | null;
    readonly isSet: boolean;
  }[];
}
