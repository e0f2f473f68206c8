/** The members of a port as they are beside the database: those that write do it at once, and are waited for. */

import type { AlertRows } from "../../ports/alerts.ts";
import type { ChatStore, Cursors } from "../../ports/chat-rows.ts";
import type { Figures } from "../../ports/figures.ts";
import type { Spending } from "../../ports/money.ts";
import type { Search } from "../../ports/search.ts";
import type { Store } from "../../ports/store.ts";
import type { Ledger } from "../../ports/surface.ts";
import type { Stepped, StepRows } from "../tables/step-rows.ts";

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
  readonly purse: Direct<Spending>;
  readonly search: Direct<Search>;
  readonly figures: () => Figures;
  readonly alerts: Direct<AlertRows>;
}
