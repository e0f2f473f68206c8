/** What the listener serves to browsers beside the requests of the host and of features. */

import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";

export type Env = { Bindings: HttpBindings };

/** Pages for the person behind the token, and the requests that they send. */
export interface Web {
  /** Adds its requests behind those of the host: what reaches them has passed the gate. */
  addTo(app: Hono<Env>): void;
  /** Files that a navigation loads without a header, the same on every host: the cookie alone opens them. */
  isFile(path: string): boolean;
  /** For a browser that has not signed in. `crossSite`: it followed a link of another site. */
  signIn(crossSite: boolean): Response;
  /** For a browser whose request is refused. `message` holds no character that HTML reads. */
  refuse(message: string): Response;
  /** Ends answers that have no end of their own. */
  close(): void;
}
