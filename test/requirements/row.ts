/** One row of the checklist that Parley is held to, and what holds it. */

export interface Row {
  /** Its number in the checklist. */
  readonly id: string;
  /** What the source document calls it. */
  readonly source: string;
  readonly demand: string;
  /** What asserts it; together they are the whole of it. */
  readonly tests: readonly RowTest[];
}

export interface RowTest {
  /** Below `test`. */
  readonly file: string;
  /** In full, with the names of its groups, as it is written. */
  readonly name: string;
  /** What turned the test red when it was tried. */
  readonly without: Mutation;
}

export interface Mutation {
  /** Of the source, from the root. */
  readonly file: string;
  readonly change: string;
}
