/** Who the bot is in its workspace, as its token says. */

export interface Identity {
  readonly team: string;
  readonly user: string;
  /** `B…`. */
  readonly bot: string;
  readonly name: string;
}
