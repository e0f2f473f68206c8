/** Ports of a store, as their members are beside the database: those that write do it at once. */

import type { WriteFailure } from "../../ports/host.ts";
import type { Store } from "../../ports/store.ts";
import type { Placed, StepRows } from "../tables/step-rows.ts";
import type { Write } from "./write.ts";

/** What is answered with a promise writes. */
export type Direct<Port> = {
  readonly [K in keyof Port]: Port[K] extends (...given: infer Given) => Promise<infer Answer>
    ? Write<Given, Exclude<Answer, WriteFailure>>
    : Port[K];
};

/** The port again: what writes is answered later. */
export type Grouped<Members> = {
  readonly [K in keyof Members]: Members[K] extends Write<infer Given, infer Answer>
    ? (...given: Given) => Promise<Answer | WriteFailure>
    : Members[K];
};

export interface DirectStore extends Direct<Omit<Store, "commit" | "close">> {
  /** `commit` of a step whose rows are made. */
  readonly step: Write<[rows: StepRows], { readonly kind: "committed"; readonly posts: readonly Placed[] }>;
  close(): void;
}
