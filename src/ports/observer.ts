/** Observers of the host count and trace the calls of ports, and change none of them. */

import type { Sandbox } from "../../sandbox/types.ts";
import type { ConversationId } from "../machine/id.ts";
import type { ConversationChange } from "./bot.ts";
import type { LogFields } from "./host.ts";
import type { Model } from "./model.ts";
import type { Surface } from "./surface.ts";
import type { Tools } from "./tools.ts";

export interface PortObserver {
  model(model: Model): Model;
  tools(tools: Tools): Tools;
  sandbox(sandbox: Sandbox): Sandbox;
  surface<S extends Pick<Surface, "apply">>(name: string, surface: S): S;
}

export interface Observer extends PortObserver {
  /** Called after the commit of the change. Text that still streams is never committed. */
  heard(id: ConversationId, change: ConversationChange): void;
  /** Called after each answer of the console. `route`: pattern of the route, never the path (few values, nothing private). */
  answered(method: string, route: string, status: number): void;
  streaming(open: number): void;
  logFields(fields: LogFields): LogFields;
  /** Never rejects. Nothing is observed after it. */
  close(): Promise<void>;
}

/** Several observers as one. The first is nearest to the port, and the last is closed first. */
export const inOrder = (observers: readonly Partial<Observer>[]): Observer => ({
  model: (model) => observers.reduce((port, one) => one.model?.(port) ?? port, model),
  tools: (tools) => observers.reduce((port, one) => one.tools?.(port) ?? port, tools),
  sandbox: (sandbox) => observers.reduce((port, one) => one.sandbox?.(port) ?? port, sandbox),
  surface: (name, surface) => observers.reduce((port, one) => one.surface?.(name, port) ?? port, surface),
  heard: (id, change) => {
    for (const one of observers) one.heard?.(id, change);
  },
  answered: (method, route, status) => {
    for (const one of observers) one.answered?.(method, route, status);
  },
  streaming: (open) => {
    for (const one of observers) one.streaming?.(open);
  },
  logFields: (fields) => Object.assign({}, ...observers.map((one) => one.logFields?.(fields))),
  close: async () => {
    for (const one of observers.toReversed()) await one.close?.();
  },
});

export const UNOBSERVED: Observer = inOrder([]);
