import { readFileSync } from "node:fs";
import { exposedIn, OPEN } from "../../../settings/exposed.ts";

type Read =
  | { readonly kind: "secret"; readonly secret: string }
  | { readonly kind: "failed"; readonly problem: string };

/** `setting`: name of the setting with the path. The problem is a sentence for the operator. */
export const secretIn = (setting: string, file: string): Read => {
  const failed = (why: string): Read => ({ kind: "failed", problem: `${setting}${why}` });
  const exposed = exposedIn(file);
  if (exposed !== null) return failed(`: ${file} is in ${exposed}, ${OPEN}`);
  try {
    const secret = readFileSync(file, "utf8").trim();
    return secret === "" ? failed(`: ${file} is empty`) : { kind: "secret", secret };
  } catch (error) {
    return failed(` cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
};
