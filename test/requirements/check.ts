/** What is wrong with the table of rows: each problem is one sentence that names its row. */

import type { Row } from "./row.ts";
import type { Title } from "./titles.ts";

export interface Tree {
  /** The tests of a file below `test`; null where there is none. */
  titles(file: string): readonly Title[] | null;
  /** Whether the source has this file. */
  has(source: string): boolean;
}

/** `wanted`: the rows of the checklist, in its order. */
export const problems = (rows: readonly Row[], wanted: readonly string[], tree: Tree): readonly string[] => {
  const ids = rows.map(({ id }) => id);
  return [
    ...wanted.filter((id) => !ids.includes(id)).map((id) => `row ${id} has no entry`),
    ...ids.filter((id) => !wanted.includes(id)).map((id) => `row ${id} is not in the checklist`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `row ${id} has two entries`),
    ...rows.flatMap((row) => rowProblems(row, tree).map((problem) => `row ${row.id}: ${problem}`)),
  ];
};

const rowProblems = ({ source, demand, tests }: Row, tree: Tree): readonly string[] => [
  ...(source === "" || demand === "" ? ["it does not say what it demands"] : []),
  ...(tests.length === 0 ? ["no test asserts it"] : []),
  ...tests.flatMap(({ file, name, without }) => [
    ...testProblems(file, name, tree.titles(file)),
    ...(tree.has(without.file) ? [] : [`there is no source ${without.file}`]),
    ...(without.change === "" ? [`what turned ${file} red is not described`] : []),
  ]),
];

const testProblems = (file: string, name: string, titles: readonly Title[] | null): readonly string[] => {
  if (titles === null) return [`there is no file ${file}`];
  const [found, ...more] = titles.filter((title) => title.name === name);
  if (found === undefined) return [`${file} has no test "${name}"`];
  if (more.length > 0) return [`${file} has several tests "${name}"`];
  return found.runs ? [] : [`"${name}" in ${file} may be left out`];
};
