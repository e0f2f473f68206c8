/** Requests that a part of the program answers itself, behind the console's door. */

export interface PathRoutes {
  /** Wrong tokens are counted by it: guesses at one part never refuse a client of another. */
  readonly name: string;
  owns(path: string): boolean;
  /** Whether it is one of its tokens: wrong ones are limited as the console's are. */
  knows(token: string): boolean;
  fetch(request: Request): Promise<Response>;
}
