/** A GET request of the console that a part of the program answers. It needs what opens the console: the token, or a session. */

export interface Route {
  /** Wrong tokens are counted by it: guesses at one route never refuse a client of another. */
  readonly name: string;
  readonly path: string;
  answer(): Promise<Response>;
}
