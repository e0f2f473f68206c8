/** Who the bot is in its workspace, as its token says. */

export interface Identity {
  readonly team: string;
  /** Of the bot: `U…`. */
  readonly user: string;
  /** `B…`. */
  readonly bot: string;
  /** Its name, for `@name`. */
  readonly name: string;
}
