/** Tools: what the model is told of each. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { locateLauncher } from "../../../sandbox/locate.ts";
import { createSandbox } from "../../../sandbox/server.ts";
import { systemClock } from "../../../src/app/system-clock.ts";
import type { ToolSpec } from "../../../src/ports/conversation.ts";
import { NO_FORGE } from "../../../src/ports/forge-access.ts";
import { createBlobs } from "../../../src/store/tables/blobs.ts";
import { createPictures } from "../../../src/tools/pictures/pictures.ts";
import { createTools } from "../../../src/app/tools.ts";
import { createWorkspaces } from "../../../src/workspace/workspaces.ts";
import { testModes } from "../../runtime/modes.ts";
import { withForges } from "../../with-forges.ts";
import { toolsOfFeatures } from "./features.ts";
import { code, table } from "./markdown.ts";

export const tools = async (): Promise<string> => {
  const { specs, agentSpecs } = await made();
  const known = new Set(specs.map(({ name }) => name));
  const ofAgents = agentSpecs.filter(({ name }) => !known.has(name));
  const both = agentSpecs.filter(({ name }) => known.has(name)).map(({ name }) => code(name));
  return [
    ...specs.map(told),
    `Sub-agents have ${both.join(", ")}, and these two of their own:`,
    ...ofAgents.map(told),
  ].join("\n\n");
};

const told = ({ name, description, inputSchema }: ToolSpec): string => {
  const { properties, required } = schema.parse(inputSchema);
  const rows = Object.entries(properties).map(([field, property]) => [
    code(field),
    required.includes(field) ? `${typeOf(property)}, required` : typeOf(property),
    property.description ?? "",
  ]);
  const inputs = rows.length === 0 ? [] : [table(["input", "type", "meaning"], rows)];
  return [`### ${code(name)}`, description.trim(), ...inputs].join("\n\n");
};

const property = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  items: z.looseObject({ type: z.string().optional() }).optional(),
  description: z.string().optional(),
});

const schema = z.looseObject({
  properties: z.record(z.string(), property).default({}),
  required: z.array(z.string()).default([]),
});

const typeOf = ({ type, enum: values, items }: z.output<typeof property>): string => {
  if (values !== undefined) return values.map(code).join(", ");
  if (type === "array") return items?.type === undefined ? "list" : `list of ${items.type}s`;
  return type ?? "one of several";
};

/** The host's own, in a directory that nothing is kept in. */
const made = async () => {
  const directory = mkdtempSync(join(tmpdir(), "parley-reference-"));
  const launcher = await locateLauncher(directory);
  if (launcher.kind === "failed") throw new Error(launcher.reason);
  const sandbox = await createSandbox({ launcher: launcher.path });
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const workspaces = createWorkspaces({ directory, sandbox, clock: systemClock, log });
  const parts = {
    sandbox,
    pictures: createPictures(sandbox),
    blobs: createBlobs(directory),
    log,
  };
  const { tools: ofForges } = await withForges();
  const ofOthers = await toolsOfFeatures();
  const made = await createTools({
    sessions: { setSessionMode: () => Promise.resolve({ kind: "done" }) },
    places: workspaces,
    ...parts,
    secrets: [],
    modes: testModes,
    forge: NO_FORGE,
    drafts: workspaces.drafts,
    outgoing: { changes: workspaces.changes, identity: { name: "Parley", email: "parley@localhost" } },
    ofFeatures: (kit) => [...ofForges(kit), ...ofOthers],
    knowsModel: () => true,
  });
  await sandbox.close();
  rmSync(directory, { recursive: true, force: true });
  return made;
};
