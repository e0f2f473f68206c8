/** The bot's identity in its workspace, read with its token. */

export interface SlackIdentity {
  readonly team: string;
  /** The Enterprise Grid of the workspace; null if there is none. */
  readonly enterprise: string | null;
  readonly user: string;
  /** Bot id, `B…`. */
  readonly bot: string;
  readonly name: string;
}
