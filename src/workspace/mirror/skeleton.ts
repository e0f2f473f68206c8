/** Host code may write here, because the directory is new and no other process has seen it. */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Ids of 64 digits are SHA-256, which the configuration must declare. */
const format = (id: string): string => (id.length === 64 ? "1\n[extensions]\n\tobjectformat = sha256" : "0");

/** `id` is the id of any object of the remote. */
export const writeBareSkeleton = async (directory: string, id: string): Promise<void> => {
  await writeParts(directory);
  await writeFile(join(directory, "HEAD"), "ref: refs/heads/main\n");
  await writeFile(
    join(directory, "config"),
    `[core]\n\tbare = true\n\trepositoryformatversion = ${format(id)}\n`,
  );
};

interface CheckoutSkeleton {
  /** Null leaves HEAD detached at the commit. */
  readonly branch: string | null;
  readonly packedRefs: string;
  /** The repository's default branch, if the mirror has it. */
  readonly main: string | null;
  /** The branch of the repository that `branch` began at. */
  readonly upstream: string | null;
  /** The mirror's objects, as commands will see them. */
  readonly objects: string;
  readonly shallow: Uint8Array | null;
  /** Author of commits by commands (WG3). Stored in the repository's configuration, which a command's options override. */
  readonly identity: { readonly name: string; readonly email: string };
}

export const writeCheckoutSkeleton = async (
  directory: string,
  { commit, origin }: { readonly commit: string; readonly origin: string | null },
  plan: CheckoutSkeleton,
): Promise<void> => {
  const dot = join(directory, ".git");
  await writeParts(dot);
  await mkdir(join(dot, "objects/info"));
  await mkdir(join(dot, "info"));
  await writeFile(join(dot, "objects/info/alternates"), `${plan.objects}\n`);
  await writeFile(join(dot, "packed-refs"), plan.packedRefs);
  await writeFile(
    join(dot, "HEAD"),
    plan.branch === null ? `${commit}\n` : `ref: refs/heads/${plan.branch}\n`,
  );
  if (plan.main !== null) {
    await mkdir(join(dot, "refs/remotes/origin"), { recursive: true });
    await writeFile(join(dot, "refs/remotes/origin/HEAD"), `ref: refs/remotes/origin/${plan.main}\n`);
  }
  await writeFile(
    join(dot, "config"),
    checkoutConfig(commit, origin) + upstreamConfig(plan) + identityConfig(plan.identity),
  );
  if (plan.shallow !== null) await writeFile(join(dot, "shallow"), plan.shallow);
};

/** Owner, inode and change time differ between host and commands, so `git status` would read every file again. */
const checkoutConfig = (commit: string, origin: string | null): string => {
  const url = origin === null ? "" : `\turl = ${origin}\n`;
  const remote = `[remote "origin"]\n${url}\tfetch = +refs/heads/*:refs/remotes/origin/*\n`;
  const core = "[core]\n\tbare = false\n\tfilemode = true\n\tlogallrefupdates = true\n";
  return `${core}\tcheckStat = minimal\n\ttrustctime = false\n\trepositoryformatversion = ${format(commit)}\n${remote}`;
};

const identityConfig = ({ name, email }: CheckoutSkeleton["identity"]): string =>
  `[user]\n\tname = ${quoted(name)}\n\temail = ${quoted(email)}\n`;

const quoted = (value: string): string =>
  `"${value.replaceAll(/\p{Cc}+/gu, " ").replaceAll(/["\\]/g, String.raw`\$&`)}"`;

const upstreamConfig = ({ branch, upstream }: CheckoutSkeleton): string =>
  branch === null || upstream === null
    ? ""
    : `[branch ${quoted(branch)}]\n\tremote = origin\n\tmerge = ${quoted(`refs/heads/${upstream}`)}\n`;

const writeParts = async (directory: string): Promise<void> => {
  await mkdir(join(directory, "objects/pack"), { recursive: true });
  await mkdir(join(directory, "refs/heads"), { recursive: true });
};
