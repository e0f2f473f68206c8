/** Who the bot is in its workspace, as its token says. */

export interface SlackIdentity {
  readonly team: string;
  /** The Enterprise Grid that the workspace belongs to; null where it belongs to none. */
  readonly enterprise: string | null;
  readonly user: string;
  /** `B…`. */
  readonly bot: string;
  readonly name: string;
}
