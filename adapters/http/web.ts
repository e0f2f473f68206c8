/**
 * Files and requests of the browser page, which the listener serves besides those of the host and of
 * features.
 */

import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";

export type Env = { Bindings: HttpBindings };

/** Pages for the person behind the token, and their requests. */
export interface Web {
  /** Adds the page's requests after the host's. Every request has passed the gate. */
  addTo(app: Hono<Env>): void;
  /**
   * Whether the path is a file that a navigation loads without a header. Such files are equal on every host,
   * so the cookie alone opens them.
   */
  isFile(path: string): boolean;
  /**
   * Response for a browser that has not signed in. `crossSite`: whether it followed a link of another site.
   */
  signIn(crossSite: boolean): Response;
  /** Response for a browser whose request is refused. `message` must contain no HTML character. */
  refuse(message: string): Response;
  /** Ends responses without a natural end, such as event streams. */
  close(): void;
}
