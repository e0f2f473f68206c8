/** A route of the REST API: what it takes, how often, and what it does. */

import type { Bucket, ExtraBucket } from "./rules/buckets.ts";
import type { Call, Upload } from "./call.ts";
import type { Discord } from "./discord.ts";
import type { Outcome } from "./outcome.ts";

export interface Ask {
  /** The part of the path between those braces. */
  param(name: string): string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly files: readonly Upload[];
}

export interface Route {
  /** Schema of the body in Discord's description. */
  readonly takes?: string | ((discord: Discord, ask: Ask) => string);
  /** Schema of the answer; of each of its elements where `answersMany`. */
  readonly answers?: string;
  readonly answersMany?: string;
  /** Unset: 5 in 5 seconds. */
  readonly bucket?: Bucket;
  /** Another bucket that this call needs too. */
  extraBucket?(discord: Discord, ask: Ask): ExtraBucket | undefined;
  /** The token stands in the path. */
  readonly isOpen?: boolean;
  serve(discord: Discord, ask: Ask): Outcome;
}

/** By method and path. */
export type Routes = Readonly<Record<string, Route>>;

export const askOf = (call: Call): Ask => ({
  param: (name) => {
    const value = call.params[name];
    if (value === undefined) throw new Error(`${call.route} has no ${name}`);
    return value;
  },
  params: call.params,
  query: call.query,
  body: call.body ?? {},
  files: call.files,
});

export interface Match {
  readonly name: string;
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the route of a request; literal parts win over braces. */
export const createRouter = (routes: Routes): ((method: string, path: string) => Match | undefined) => {
  const known = Object.entries(routes)
    .map(([name, route]) => {
      const [method = "", path = ""] = name.split(" ");
      const pattern = path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)").replaceAll("@", "(?:@|%40)");
      return { name, route, method, pattern: new RegExp(`^${pattern}$`) };
    })
    .toSorted((a, b) => (a.name.match(/\{/g)?.length ?? 0) - (b.name.match(/\{/g)?.length ?? 0));
  return (method, path) => {
    for (const { name, route, method: own, pattern } of known) {
      const found = own === method ? pattern.exec(path) : null;
      if (found !== null) return { name, route, params: { ...found.groups } };
    }
    return undefined;
  };
};
