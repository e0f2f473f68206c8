/**
 * The writing tools of the forge: what each would write is looked up by the host and shown to people first;
 * what they approved is done once. Bounded to the conversation's own repository, in every permission, because the click
 * and not the permission is what allows it.
 */

import { createHash } from "node:crypto";
import type { z } from "zod";
import { maskTexts } from "../../text/secrets/mask-texts.ts";
import { canonical } from "../../text/canonical.ts";
import type { Proposal } from "../../thread/prompt.ts";
import type { Write, Wrote } from "../../machine/words.ts";
import type { Asked, Project } from "../../ports/forge.ts";
import type { Desk, Landed, WritableForges } from "../../ports/desk.ts";
import type { Errand, Proposed, ToolHooks, ToolOutcome, ToolRun, Written } from "../../ports/tools.ts";
import { inRepository } from "../repository.ts";
import { defineTool, failure, parseInput, success, type Tool } from "../tool.ts";
import type { WritingTools } from "../writing.ts";

interface Aimed {
  readonly repository?: string | undefined;
}

/** One kind of write: how the model asks for it, and what it would come to. */
export interface Writing<S extends z.ZodType<Aimed>> {
  readonly name: Write;
  readonly description: string;
  readonly schema: S;
  readonly plan: (input: z.output<S>, scene: Scene) => Promise<Asked<Plan>>;
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
  return {
    tools: writings.map(({ tool }) => tool),
    writes: {
      propose: async (run, { signal }) => {
        const writing = byName.get(run.name);
        if (writing === undefined) return { kind: "none" };
        const ready = prepare(forges, { ...run, input: maskTexts(run.input, redact) }, writing, signal);
        if (ready.kind === "trouble") return refused(ready.why);
        const { scene, writes } = ready.value;
        const planned = await writes.plan(scene);
        if (planned.kind === "trouble") return refused(planned.why);
        const { proposal } = planned.value;
        return {
          kind: "proposal",
          write: writing.name,
          proposal: { project: scene.project.name, files: [], unlisted: 0, ...proposal },
          fingerprint: fingerprintOf(writing.name, scene, planned.value),
        };
      },
      write: async (run, errand, { signal }) => {
        const writing = byName.get(run.name);
        if (writing === undefined || writing.name !== errand.approved.write) return failed(NOT_KNOWN);
        const ready = prepare(forges, { ...run, input: maskTexts(run.input, redact) }, writing, signal);
        if (ready.kind === "trouble") return failed(ready.why);
        const { scene, writes } = ready.value;
        const resumed = await writes.resume(errand, scene);
        if (resumed !== null) return written(resumed);
        const planned = await writes.plan(scene);
        if (planned.kind === "trouble") return errand.again ? unknown(planned.why) : failed(planned.why);
        if (fingerprintOf(writing.name, scene, planned.value) !== errand.approved.fingerprint) return VOID;
        return written(await planned.value.perform(errand));
      },
    },
  };
};

/** A writing with its schema closed over, so that different ones stand in one list. */
export interface PreparedWriting {
  readonly name: Write;
  readonly tool: Tool;
  readonly bind: (input: unknown) => Asked<Bound>;
}

interface Bound extends Aimed {
  readonly plan: (scene: Scene) => Promise<Asked<Plan>>;
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
  bind: (input) => {
    const parsed = parseInput(writing.schema, input);
    if (parsed.kind === "invalid") return { kind: "trouble", why: parsed.message };
    return {
      kind: "found",
      value: {
        repository: parsed.input.repository,
        plan: (scene) => writing.plan(parsed.input, scene),
        resume: async (errand, scene) => (await writing.resume?.(parsed.input, errand, scene)) ?? null,
      },
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
): Asked<Ready> => {
  const bound = writing.bind(run.input);
  if (bound.kind === "trouble") return bound;
  const aimed = inRepository(run, bound.value.repository);
  if (aimed.kind === "trouble") return aimed;
  const located = forges.at(aimed.value.conversation.repo);
  if (located.kind === "none") return { kind: "trouble", why: located.why };
  const { project } = located;
  if (project.desk === null) return { kind: "trouble", why: noCredential(project.name) };
  return {
    kind: "found",
    value: { scene: { run: aimed.value, project, desk: project.desk, signal }, writes: bound.value },
  };
};

const fingerprintOf = (write: Write, { project }: Scene, { material }: Plan): string =>
  createHash("sha256")
    .update(canonical({ write, project: project.name, material }))
    .digest("hex");

const refused = (why: string): Proposed => ({ kind: "refused", outcome: failure(why) });

export const written = (asked: Asked<Landed>): Written => {
  if (asked.kind === "found") return { outcome: done(asked.value), wrote: { kind: "done", ...asked.value } };
  return asked.perhaps === true ? unknown(asked.why) : failed(asked.why);
};

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
