/** References by link, by `#12`, `acme/shop#12` or GitLab's `!12`, for a model with tools that read them. Existence is not checked. */

const MOST = 10;

const SHORT = /(?<![\w/&#!.-])([#!])(\d{1,7})\b/g;
/** GitHub has no `!12`. */
const GITHUB = /^github\.com\//i;

/** `root`: such as `github.com/acme/shop`. `folder`: the repository's name if there are several; then only links count. */
export const referencesIn = (text: string, root: string | null, folder?: string): string | null => {
  if (root === null) return null;
  const links = new RegExp(
    `https?://(?:www\\.)?${RegExp.escape(root)}/(?:-/)?(issues|work_items|pull|pulls|merge_requests)/(\\d{1,7})(?!\\d)`,
    "gi",
  );
  const path = RegExp.escape(root.slice(root.indexOf("/") + 1));
  const long = new RegExp(`(?<![\\w/&#!.-])${path}([#!])(\\d{1,7})\\b`, "gi");
  const isGitHub = GITHUB.test(root);
  const pull = (number: string): string => `pull request ${isGitHub ? "#" : "!"}${number}`;
  const named = new Set<string>();
  for (const [, kind = "", number = ""] of text.matchAll(links)) {
    named.add(/^(?:issues|work_items)$/i.test(kind) ? `issue #${number}` : pull(number));
  }
  const short = folder === undefined ? text.matchAll(SHORT) : [];
  for (const [, sign = "", number = ""] of [...text.matchAll(long), ...short]) {
    if (sign === "!" && !isGitHub) named.add(pull(number));
    const isNamed = named.has(`issue #${number}`) || named.has(`pull request #${number}`);
    if (sign === "#" && !isNamed) named.add(`#${number}`);
  }
  const all = [...named].slice(0, MOST);
  return all.length === 0
    ? null
    : `[Parley] Named here, of ${folder === undefined ? "this conversation's repository" : `the repository ${folder}`}: ${all.join(", ")}. read_issue and read_pull_request read them.`;
};
