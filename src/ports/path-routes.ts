/** Requests that a feature answers itself, behind the console's access check. */

export interface PathRoutes {
  /** Wrong tokens are counted under this name, so that guesses at one feature never lock out clients of another. */
  readonly name: string;
  owns(path: string): boolean;
  /** Wrong tokens are rate-limited like the console's. */
  knows(token: string): boolean;
  fetch(request: Request): Promise<Response>;
}
