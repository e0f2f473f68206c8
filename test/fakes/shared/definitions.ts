/**
 * JSON schemas made from the declarations of an installed package, so that a fake cannot have its own idea of a wire
 * format. Generating takes seconds and is kept under node_modules/.cache for the package's version.
 */

import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { z } from "zod";
import type { Definitions } from "./discriminate.ts";

export interface DefinitionsRequest {
  /** An installed npm package. */
  readonly packageName: string;
  /** Declaration files, from the package's root; may be a glob. What they import is found by itself. */
  readonly files: string;
  readonly types: readonly string[];
  /** Whether objects may hold what the declarations do not name. */
  readonly isOpen: boolean;
  /** Whether to keep the doc comments as `description`. */
  readonly hasDocs: boolean;
}

export const definitionsOf = async (request: DefinitionsRequest): Promise<Definitions> => {
  const root = packageRoot(request.packageName);
  const manifest = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(root, "package.json"), "utf8")));
  const modules = root.slice(0, root.lastIndexOf(`${sep}node_modules${sep}`));
  const folder = join(modules, "node_modules", ".cache", "parley");
  const name = `${request.packageName.replace("@", "").replaceAll("/", "-")}-${manifest.version}`;
  const what = createHash("sha256").update(JSON.stringify(request)).digest("hex").slice(0, 12);
  const file = join(folder, `${name}-${what}.json`);

  const cached = await readFile(file, "utf8").catch(() => undefined);
  if (cached !== undefined) {
    return definitionsSchema.parse(JSON.parse(cached));
  }
  const made = definitionsSchema.parse(await generate(root, request));
  await mkdir(folder, { recursive: true });
  // Several test processes may be here at once: each writes its own file and the rename is atomic.
  const own = `${file}.${process.pid}`;
  await writeFile(own, JSON.stringify(made));
  await rename(own, file);
  return made;
};

const definitionsSchema = z.record(z.string(), z.record(z.string(), z.unknown()));

/** The package's folder, found from its entry point: most packages do not export their package.json. */
const packageRoot = (packageName: string): string => {
  const inside = join("node_modules", ...packageName.split("/"));
  const entry = dirname(createRequire(import.meta.url).resolve(packageName));
  return entry.slice(0, entry.lastIndexOf(inside) + inside.length);
};

const generate = async (root: string, request: DefinitionsRequest): Promise<unknown> => {
  const { createGenerator } = await import("ts-json-schema-generator");
  const generator = createGenerator({
    path: join(root, request.files),
    skipTypeCheck: true,
    jsDoc: request.hasDocs ? "extended" : "none",
    topRef: true,
    expose: "export",
    additionalProperties: request.isOpen,
  });
  return Object.assign({}, ...request.types.map((name) => generator.createSchema(name).definitions));
};
