/** Where a repository's address leads, as git takes it. Pure. */

const SCP_LIKE = /^([A-Za-z0-9._-]+)@([A-Za-z0-9._-]+):(?!\/\/)(.+)$/;

/** Of an https or ssh URL, or of `user@host:path`; null for everything else. */
export const repoUrl = (location: string): URL | null => {
  const [, user, host, path = ""] = (location.includes("://") ? null : SCP_LIKE.exec(location)) ?? [];
  const url = URL.parse(user === undefined ? location : `ssh://${user}@${host}/${path.replace(/^\/+/, "")}`);
  return url?.protocol === "https:" || url?.protocol === "ssh:" ? url : null;
};

/** The project's path on its host: without `.git`, and without slashes at either end. */
export const projectPath = ({ pathname }: URL): string =>
  pathname.replace(/^\/+|\/+$/g, "").replace(/\.git$/, "");
