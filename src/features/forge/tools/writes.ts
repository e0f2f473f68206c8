/**
 * The writing tools of the forge. The host prepares each write and shows it to people; an approved write
 * happens once. The tools are limited to the conversation's own repository and available with every
 * permission, because the approval is required in any case.
 */

import { hash } from "node:crypto";
import type { z } from "zod";
import { maskTexts } from "../../../text/secrets/mask-texts.ts";
import { canonical } from "../../../text/canonical.ts";
import type { CallWording } from "../../../thread/call-text.ts";
import type { Proposal } from "../../../thread/prompt.ts";
import type { Write } from "../../../machine/vocabulary.ts";
import type { ForgeResult } from "../../../ports/forge.ts";
import type { Project } from "../ports/project.ts";
import type { MergedPull } from "../../../ports/draft-pulls.ts";
import { NOBODY_CONNECTED, type WritesInName } from "../people/in-name.ts";
import type { GitIdentity } from "../../../ports/outgoing.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";
import type { ForgeWriter, WritableForges, WritableProject } from "../ports/forge-writer.ts";
import type { ApprovedWrite, ToolRun, WrittenResult } from "../../../ports/tools.ts";
import { defineTool, failure, readInput, type Tool, Unable, unless, valueOf } from "../../../tools/tool.ts";
import { failedWrite, written } from "../../../tools/writing.ts";
import { QuotedRefusal } from "../issues/quoted-refusal.ts";
import { projectOf } from "./project.ts";

interface Aimed {
  readonly repository?: string | undefined;
}

/** One kind of write: the model's tool, and the plan of the write. */
interface Writing<S extends z.ZodType<Aimed>> {
  readonly name: Write;
  readonly description: string;
  readonly look: CallWording;
  readonly schema: S;
  readonly plan: (input: z.output<S>, scene: WriteContext) => Promise<Plan>;
  /** Sentence for people and the model if the material has changed since the card. */
  readonly changed?: string;
  /** Continues after a process that ended in the middle of the write; null if no process had started the write. */
  readonly resume?: (
    input: z.output<S>,
    errand: ApprovedWrite,
    scene: WriteContext,
  ) => Promise<ForgeResult<MergedPull> | null>;
}

export interface WriteContext {
  readonly run: ToolRun;
  readonly project: Project;
  readonly desk: ForgeWriter;
  readonly signal: AbortSignal;
  /** Author of commits; absent for Parley. */
  readonly author?: GitIdentity;
}

interface Plan {
  readonly proposal: Pick<Proposal, "facts" | "texts"> &
    Partial<Pick<Proposal, "files" | "unlisted" | "owners">>;
  /** All content that would be written. An approval is void if the material differs. */
  readonly material: unknown;
  /** Follows the hash in the fingerprint, for `resume`. */
  readonly anchor?: string;
  readonly perform: (errand: ApprovedWrite) => Promise<ForgeResult<MergedPull>>;
  /** Looks up similar content, only before people are asked. The approval does not cover the answer. */
  readonly beside?: () => Promise<Pick<Proposal, "similar">>;
}

export const defineWriting = <S extends z.ZodType<Aimed>>(writing: Writing<S>): Writing<S> => writing;

/** `redact`: removes keys and tokens of this process from all written content. */
export const createForgeWriting =
  (forges: WritableForges, redact: (text: string) => string, names: WritesInName = NOBODY_CONNECTED) =>
  <S extends z.ZodType<Aimed>>(writing: Writing<S>): Tool => {
    const { name, description, look, schema, changed = CHANGED } = writing;
    const prepare = (run: ToolRun, signal: AbortSignal, errand: ApprovedWrite | null) => {
      const input = readInput(schema, maskTexts(run.input, redact));
      const { aimed, project } = projectOf(forges, run, input.repository);
      if (project.desk === null) throw new Unable(noCredential(project.name));
      const scene: WriteContext = {
        run: aimed,
        project,
        signal,
        ...inNameOf(names, { ...project, desk: project.desk }, aimed, errand),
      };
      return { input, scene, project };
    };
    return defineTool({
      name,
      description,
      origin: "forge",
      look,
      judge: null,
      schema,
      tooLarge: "Shorten the text.",
      run: () => Promise.resolve(failure(NOT_KNOWN)),
      writes: {
        propose: async (run, { signal }) => {
          const { input, scene, project: asked } = prepare(run, signal, null);
          const { name: project, host } = scene.project;
          try {
            const plan = await writing.plan(input, scene);
            const named = await names.fact(asked, run, name, signal);
            const facts = [...plan.proposal.facts, ...(named === null ? [] : [named])];
            const beside = await plan.beside?.();
            return {
              kind: "proposal",
              write: name,
              proposal: { project, files: [], unlisted: 0, ...plan.proposal, ...beside, facts },
              fingerprint: fingerprintOf(name, scene, plan),
            };
          } catch (error) {
            if (!(error instanceof QuotedRefusal)) throw error;
            const outcome = failure(`${error.message}\n\n${error.quoted}`);
            return {
              kind: "refused",
              outcome: { ...outcome, reached: [{ host, port: HTTPS, allowed: true }] },
            };
          }
        },
        write: async (run, errand, { signal }) => {
          if (name !== errand.approved.write) return failedWrite(NOT_KNOWN);
          const { input, scene } = prepare(run, signal, errand);
          const resumed = (await writing.resume?.(input, errand, scene)) ?? null;
          if (resumed !== null) return written(valueOf(resumed));
          const plan = await unsure(errand, () => writing.plan(input, scene));
          if (fingerprintOf(name, scene, plan) !== errand.approved.fingerprint) return voided(changed);
          return written(valueOf(await plan.perform(errand)));
        },
      },
    });
  };

/** `errand`: null before the click, when the operator's credential reads. */
export const inNameOf = (
  names: WritesInName,
  project: WritableProject & { readonly desk: ForgeWriter },
  run: ToolRun,
  errand: ApprovedWrite | null,
): Pick<WriteContext, "desk" | "author"> => {
  if (errand === null) return { desk: project.desk };
  const author = names.authorFor(project, errand) ?? undefined;
  return { desk: names.deskFor(project, project.desk, run, errand), ...omitUndefined({ author }) };
};

/** If an earlier process may have written, failures are marked as uncertain, because this process cannot know the outcome. */
export const unsure = async <T>({ again }: ApprovedWrite, work: () => Promise<T>): Promise<T> =>
  unless(work, ({ message, perhaps }) => {
    throw new Unable(message, perhaps || again);
  });

const HTTPS = 443;

const fingerprintOf = (write: Write, { project }: WriteContext, { material, anchor }: Plan): string => {
  const of = hash("sha256", canonical({ write, project: project.name, material }));
  return anchor === undefined ? of : `${of}:${anchor}`;
};

const CHANGED =
  "what would be written has changed since it was shown to people. Propose it again, so that they see it as it is now.";
const voided = (why: string): WrittenResult => ({
  outcome: failure(`Nothing was written: ${why}`),
  wrote: { kind: "void", why },
});

const NOT_KNOWN = "Nothing was written: this is not what a person was asked.";

const noCredential = (project: string): string =>
  `Parley has no credential that may write to ${project}. Its operator can add one to the file that PARLEY_FORGES names.`;
