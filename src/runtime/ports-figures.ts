/** How much of what is stored waits for something, declared on the caller's floor. */

export interface Figures {
  /** Conversations with a turn under way. */
  readonly working: number;
  /** Threads whose platform does not show yet what is stored, by surface; those with none are left out. */
  readonly behind: Readonly<Record<string, number>>;
  /** What arrived and is not handled, by surface; those with none are left out. */
  readonly unhandled: Readonly<Record<string, number>>;
  /** Bytes of the database. */
  readonly database: number;
}
