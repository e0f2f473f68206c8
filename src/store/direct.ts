/** The members of a port as they are beside the database: those that write do it at once, and are waited for. */

import type { Store } from "../runtime/ports.ts";
import type { Cursors } from "../runtime/ports-backlog.ts";
import type { ChatStore } from "../runtime/ports-chat.ts";
import type { Purse } from "../runtime/ports-money.ts";
import type { AlertRows } from "../runtime/ports-alerts.ts";
import type { Figures } from "../runtime/ports-figures.ts";
import type { Search } from "../runtime/ports-search.ts";
import type { Ledger } from "../runtime/ports-surface.ts";
import type { StepRows, Stepped } from "./step-rows.ts";

export type Direct<Port> = {
  readonly [K in keyof Port]: Port[K] extends (...given: infer Given) => Promise<infer Answer>
    ? (...given: Given) => Answer
    : Port[K];
};

export interface DirectStore extends Direct<Store> {
  /** `commit` of a step whose rows are made. */
  step(rows: StepRows): Stepped;
}

/** The ports of one connection. */
export interface Parts {
  readonly store: DirectStore;
  readonly ledger: Direct<Ledger>;
  readonly chat: Direct<ChatStore>;
  readonly cursors: Direct<Cursors>;
  readonly purse: Direct<Purse>;
  readonly search: Direct<Search>;
  readonly figures: () => Figures;
  readonly alerts: Direct<AlertRows>;
}
