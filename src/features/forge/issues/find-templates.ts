/** Finds the templates of a repository at the places that its forge reads, on the default branch. */

import type { Project } from "../ports/project.ts";
import { valueOf } from "../../../tools/tool.ts";
import {
  type IssueTemplate,
  NO_CONFIG,
  readIssueForm,
  readTemplateConfig,
  readTextTemplate,
  type TemplateConfig,
} from "./template.ts";
import { readForeignYaml } from "./yaml.ts";

export interface IssueTemplates {
  readonly templates: readonly IssueTemplate[];
  readonly config: TemplateConfig;
}

/** Templates that are read; further ones are left out. */
const MOST_TEMPLATES = 10;
/** Characters of a file. */
const MOST_TEXT = 65_536;
/** People and the model read and repeat the name of the file. */
const FILE = /^[\p{L}\p{N}][\p{L}\p{N} _.()+-]{0,79}\.(?:md|ya?ml)$/iu;
const CONFIG = /^config\.ya?ml$/i;

/** `only`: name of the only file to read; null for all. */
export const findIssueTemplates = async (
  project: Project,
  branch: string,
  signal: AbortSignal,
  only: string | null,
): Promise<IssueTemplates> => {
  const files = await (project.kind === "gitlab" ? gitlabFiles : githubFiles)(project, branch, signal);
  const read = async (path: string): Promise<string | null> => {
    const { text } = valueOf(await project.file(branch, path, signal));
    return text === null || text.length > MOST_TEXT ? null : text;
  };
  const isForms = project.kind === "github";
  const templates: IssueTemplate[] = [];
  const wanted = files.filter(({ name }) => FILE.test(name) && !(isForms && CONFIG.test(name)));
  // Forms are parsed in turn, because each form needs a separate thread.
  for (const { name, path } of wanted
    .filter((one) => only === null || one.name === only)
    .slice(0, MOST_TEMPLATES)) {
    const isForm = /\.ya?ml$/i.test(name);
    if (isForm && !isForms) continue;
    const text = await read(path);
    if (text === null) continue;
    const template = await (isForm ? readIssueForm : readTextTemplate)(name, text, readForeignYaml);
    if (template !== null) templates.push(template);
  }
  const config = isForms ? files.find(({ name }) => CONFIG.test(name)) : undefined;
  const said = config === undefined ? null : await read(config.path);
  return {
    templates,
    config: said === null ? NO_CONFIG : await readTemplateConfig(said, readForeignYaml),
  };
};

interface Found {
  readonly name: string;
  readonly path: string;
}

type Find = (project: Project, branch: string, signal: AbortSignal) => Promise<readonly Found[]>;

const inFolder = async (
  project: Project,
  branch: string,
  path: string,
  signal: AbortSignal,
): Promise<readonly (Found & { readonly isFolder: boolean })[]> => {
  const below = path === "" ? "" : `${path}/`;
  const entries = valueOf(await project.folder(branch, path, signal));
  return entries.map(({ name, isFolder }) => ({ name, isFolder, path: `${below}${name}` }));
};

const PLACES: ReadonlySet<string> = new Set([".github", "docs"]);

/** A folder ISSUE_TEMPLATE precedes a single file, which may stand in the root, in `.github` or in `docs`. */
const githubFiles: Find = async (project, branch, signal) => {
  const root = await inFolder(project, branch, "", signal);
  const below = await Promise.all(
    root
      .filter(({ name, isFolder }) => isFolder && PLACES.has(name))
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .map(({ path }) => inFolder(project, branch, path, signal)),
  );
  const all = [...below.flat(), ...root];
  const folder = all.find(({ name, isFolder }) => isFolder && /^issue_template$/i.test(name));
  const files = folder === undefined ? [] : await inFolder(project, branch, folder.path, signal);
  const kept = files.filter(({ isFolder }) => !isFolder);
  if (kept.length > 0) return kept;
  return all.filter(({ name, isFolder }) => !isFolder && /^issue_template\.md$/i.test(name)).slice(0, 1);
};

const gitlabFiles: Find = async (project, branch, signal) =>
  (await inFolder(project, branch, ".gitlab/issue_templates", signal)).filter(({ isFolder }) => !isFolder);
