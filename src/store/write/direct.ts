/** The ports of a store, and their members as they are beside the database: those that write do it at once. */

import type { Answers } from "../../ports/answers/answers.ts";
import type { AlertRows } from "../../ports/alerts.ts";
import type { ChatStore, Cursors } from "../../ports/chat-rows.ts";
import type { DigestRows } from "../../ports/digest/digests.ts";
import type { FeedbackRows } from "../../ports/answers/feedback.ts";
import type { Figures } from "../../ports/figures.ts";
import type { WriteFailure } from "../../ports/host.ts";
import type { Spending } from "../../ports/money.ts";
import type { Search, Store } from "../../ports/store.ts";
import type { Ledger } from "../../ports/surface.ts";
import type { WatchRows } from "../../ports/watch/rows.ts";
import type { MemberRows } from "../../ports/fleet/fleet.ts";
import type { Placed, StepRows } from "../tables/step-rows.ts";
import type { Write } from "./write.ts";

/** What is answered with a promise writes. */
export type Direct<Port> = {
  readonly [K in keyof Port]: Port[K] extends (...given: infer Given) => Promise<infer Answer>
    ? Write<Given, Exclude<Answer, WriteFailure>>
    : Port[K];
};

export interface Ports {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly chat: ChatStore;
  readonly cursors: Cursors;
  readonly purse: Spending;
  readonly search: Search;
  readonly alerts: AlertRows;
  readonly watched: WatchRows;
  readonly answers: Answers;
  readonly feedback: FeedbackRows;
  readonly digests: DigestRows;
  readonly fleet: MemberRows;
}

export interface DirectStore extends Direct<Omit<Store, "commit" | "close">> {
  /** `commit` of a step whose rows are made. */
  readonly step: Write<[rows: StepRows], { readonly kind: "committed"; readonly posts: readonly Placed[] }>;
  commit(...given: Parameters<Store["commit"]>): Awaited<ReturnType<Store["commit"]>>;
  close(): void;
}

export interface Parts extends Omit<{ readonly [Name in keyof Ports]: Direct<Ports[Name]> }, "store"> {
  readonly store: DirectStore;
  readonly figures: () => Figures;
}
