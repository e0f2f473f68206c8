/**
 * The writing tools of the forge: what each would write is looked up by the host and shown to people first;
 * what they approved is done once. Bounded to the conversation's own repository, in every permission, because the click
 * and not the permission is what allows it.
 */

import { hash } from "node:crypto";
import type { z } from "zod";
import { maskTexts } from "../../text/secrets/mask-texts.ts";
import { canonical } from "../../text/canonical.ts";
import type { Proposal } from "../../thread/prompt.ts";
import type { Write, Wrote } from "../../machine/words.ts";
import type { Asked, Project } from "../../ports/forge.ts";
import type { Desk, Landed, WritableForges } from "../../ports/desk.ts";
import type { Errand, Proposed, ToolHooks, ToolOutcome, ToolRun, Written } from "../../ports/tools.ts";
import { inRepository } from "../repository.ts";
import { defineTool, failure, readInput, success, type Tool, Unable, unless, valueOf } from "../tool.ts";
import { refused, type WritingTools } from "../writing.ts";

interface Aimed {
  readonly repository?: string | undefined;
}

/** One kind of write: how the model asks for it, and what it would come to. */
export interface Writing<S extends z.ZodType<Aimed>> {
  readonly name: Write;
  readonly description: string;
  readonly schema: S;
  readonly plan: (input: z.output<S>, scene: Scene) => Promise<Plan>;
  /** Carries on where an earlier process ended after the point of no return; null where none had come so far. */
  readonly resume?: (input: z.output<S>, errand: Errand, scene: Scene) => Promise<Asked<Landed> | null>;
}

export interface Scene {
  readonly run: ToolRun;
  readonly project: Project;
  readonly desk: Desk;
  readonly signal: AbortSignal;
}

export interface Plan {
  readonly proposal: Pick<Proposal, "facts" | "texts"> &
    Partial<Pick<Proposal, "files" | "unlisted" | "owners">>;
  /** Everything that would be written: what differs from it voids an approval. */
  readonly material: unknown;
  readonly perform: (errand: Errand) => Promise<Asked<Landed>>;
}

/** `redact`: keys and tokens of this process never go out, whoever wrote them down. */
export const createForgeWrites = (
  forges: WritableForges,
  redact: (text: string) => string,
  writings: readonly PreparedWriting[],
): WritingTools => {
  const byName = new Map<string, PreparedWriting>(writings.map((writing) => [writing.name, writing]));
  const masked = (run: ToolRun): ToolRun => ({ ...run, input: maskTexts(run.input, redact) });
  return {
    tools: writings.map(({ tool }) => tool),
    writes: {
      propose: (run, { signal }) =>
        unless<Proposed>(async () => {
          const writing = byName.get(run.name);
          if (writing === undefined) return { kind: "none" };
          const { scene, writes } = prepare(forges, masked(run), writing, signal);
          const plan = await writes.plan(scene);
          return {
            kind: "proposal",
            write: writing.name,
            proposal: { project: scene.project.name, files: [], unlisted: 0, ...plan.proposal },
            fingerprint: fingerprintOf(writing.name, scene, plan),
          };
        }, refused),
      write: (run, errand, { signal }) =>
        unless(async () => {
          const writing = byName.get(run.name);
          if (writing === undefined || writing.name !== errand.approved.write) return failed(NOT_KNOWN);
          const { scene, writes } = prepare(forges, masked(run), writing, signal);
          const resumed = await writes.resume(errand, scene);
          if (resumed !== null) return written(resumed);
          const plan = await unsure(errand, () => writes.plan(scene));
          if (fingerprintOf(writing.name, scene, plan) !== errand.approved.fingerprint) return VOID;
          return written(await plan.perform(errand));
        }, unwritten),
    },
  };
};

/** A writing with its schema closed over, so that different ones stand in one list. */
export interface PreparedWriting {
  readonly name: Write;
  readonly tool: Tool;
  readonly bind: (input: unknown) => Bound;
}

interface Bound extends Aimed {
  readonly plan: (scene: Scene) => Promise<Plan>;
  readonly resume: (errand: Errand, scene: Scene) => Promise<Asked<Landed> | null>;
}

export const defineWriting = <S extends z.ZodType<Aimed>>(writing: Writing<S>): PreparedWriting => ({
  name: writing.name,
  tool: defineTool({
    name: writing.name,
    description: writing.description,
    schema: writing.schema,
    tooLarge: "Shorten the text.",
    run: () => Promise.resolve(failure(NOT_KNOWN)),
  }),
  bind: (given) => {
    const input = readInput(writing.schema, given);
    return {
      repository: input.repository,
      plan: (scene) => writing.plan(input, scene),
      resume: async (errand, scene) => (await writing.resume?.(input, errand, scene)) ?? null,
    };
  },
});

interface Ready {
  readonly scene: Scene;
  readonly writes: Bound;
}

const prepare = (
  forges: WritableForges,
  run: ToolRun,
  writing: PreparedWriting,
  signal: ToolHooks["signal"],
): Ready => {
  const writes = writing.bind(run.input);
  const aimed = valueOf(inRepository(run, writes.repository));
  const located = forges.at(aimed.conversation.repo);
  if (located.kind === "none") throw new Unable(located.why);
  const { project } = located;
  if (project.desk === null) throw new Unable(noCredential(project.name));
  return { scene: { run: aimed, project, desk: project.desk, signal }, writes };
};

/** What an earlier process may have come to, this one cannot see. */
export const unsure = async <T>({ again }: Errand, work: () => Promise<T>): Promise<T> =>
  unless(work, ({ message, perhaps }) => {
    throw new Unable(message, perhaps || again);
  });

const fingerprintOf = (write: Write, { project }: Scene, { material }: Plan): string =>
  hash("sha256", canonical({ write, project: project.name, material }));

export const written = (asked: Asked<Landed>): Written => {
  const landed = valueOf(asked);
  return { outcome: done(landed), wrote: { kind: "done", ...landed } };
};

export const unwritten = ({ message, perhaps }: Unable): Written =>
  perhaps ? unknown(message) : failed(message);

const done = ({ name, url }: Landed): ToolOutcome =>
  success(`Done, as a person approved it: ${name}, ${url}`);

export const failed = (why: string): Written => ({ outcome: failure(why), wrote: { kind: "failed", why } });

/** What is asked for again may be there already. */
const unknown = (why: string): Written => ({
  outcome: failure(`${why} ${MAYBE}`),
  wrote: { kind: "unknown", why },
});

const MAYBE =
  "It may have been written all the same: an answer was lost. Read the forge before you propose it again. Where that cannot be read either, say so and propose nothing. If people want it all the same, propose it in the very same words: the host looks for the first one before it writes, and another wording would stand there twice.";

const CHANGED =
  "what would be written has changed since it was shown to people. Propose it again, so that they see it as it is now.";
const NOTHING_WRITTEN: Wrote = { kind: "void", why: CHANGED };
const VOID: Written = { outcome: failure(`Nothing was written: ${CHANGED}`), wrote: NOTHING_WRITTEN };

const NOT_KNOWN = "Nothing was written: this is not what a person was asked.";

const noCredential = (project: string): string =>
  `Parley has no credential that may write to ${project}. Its operator can add one to the file that PARLEY_FORGES names.`;
