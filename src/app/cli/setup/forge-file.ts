/** Text of the file that PARLEY_FORGES names, with a GitHub token for the chosen repositories. */

import { z } from "zod";

const file = z.looseObject({ forges: z.array(z.looseObject({})) });

/** `before`: text of the present file; null if there is none. Null if that text cannot be extended. */
export const withForgeToken = (
  before: string | null,
  token: string,
  repos: readonly string[],
): string | null => {
  const read = before === null ? { forges: [] } : parsed(before);
  if (read === null) return null;
  const entry = { kind: "github-token", repos, token };
  const others = read.forges.filter((one) => JSON.stringify(one["repos"]) !== JSON.stringify(repos));
  return `${JSON.stringify({ ...read, forges: [entry, ...others] }, null, 2)}\n`;
};

const parsed = (text: string) => {
  try {
    return file.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};
