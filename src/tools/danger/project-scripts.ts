/** The project's own scripts: read where their text is known, judged by their name where it is not. */
import { type Finding, finding } from "./danger.ts";
import type { Scene } from "./scene.ts";

/** What `npm run NAME` does, the scripts before and after it included. */
export const scriptFindings = (name: string, scene: Scene): readonly Finding[] => {
  const { memory } = scene;
  const known = [`pre${name}`, name, `post${name}`].flatMap((each) => {
    const text = memory.facts.scripts.get(each);
    return text === undefined ? [] : [[each, text] as const];
  });
  const read = known.flatMap(([each, text]): readonly Finding[] => {
    if (memory.reading.has(each)) return [];
    memory.reading.add(each);
    const findings = memory.judge(text);
    memory.reading.delete(each);
    return findings;
  });
  if (memory.facts.scripts.has(name)) return read;
  return [...read, ...(PUBLISHING.test(name) ? [finding("GIT_PUBLISH", `runs the script ${name}`)] : [])];
};

const PUBLISHING = /^(?:release|publish|deploy)(?::[\w:-]+)?$/;
