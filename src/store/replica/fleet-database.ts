/** Stand-in of the interface until it lands. */
import type { Log } from "../../ports/host.ts";

export interface FleetSettings {
  readonly database: string;
  readonly password?: string;
  readonly ca?: string;
  readonly name: string;
  readonly version: string;
}
export interface Trouble {
  readonly kind: "trouble";
  readonly why: string;
}
export interface Done {
  readonly kind: "done";
}
export interface Refused {
  readonly kind: "refused";
  readonly why: string;
}
export interface HostRow {
  readonly name: string;
  readonly active: boolean;
  readonly version: string;
  readonly seen: number;
  readonly started: number;
  readonly applied: number;
  readonly behind: number;
  readonly draining: boolean;
  readonly isLive: boolean;
}
export type Push = (group: unknown) => Promise<unknown>;
export interface Lease {
  readonly kind: "lease";
  held(): Promise<boolean>;
  readonly epoch: number;
  isHeld(): boolean;
  readonly over: Promise<"lost" | "drained">;
  readonly push: Push;
  release(): Promise<void>;
}
export interface Finding {
  readonly level: "ok" | "warning" | "error";
  readonly what: string;
  readonly found: string;
  readonly remedy: string | null;
}
export interface FleetDatabase {
  stand(file: string, signal: AbortSignal): Promise<Lease | Refused | null>;
  hosts(): Promise<readonly HostRow[] | Trouble>;
  drain(name: string): Promise<Done | Trouble>;
  importFrom(file: string, told: (share: number) => void): Promise<Done | Trouble>;
  inspect(): Promise<readonly Finding[]>;
  close(): Promise<void>;
}
export type Opened =
  | { readonly kind: "open"; readonly database: FleetDatabase }
  | { readonly kind: "away"; readonly why: string }
  | Refused;
export const openFleetDatabase = (_settings: FleetSettings, _log: Log): Promise<Opened> =>
  Promise.resolve({ kind: "refused", why: "not yet" });
