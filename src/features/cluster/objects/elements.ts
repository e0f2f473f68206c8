/** What an S3 store says in XML: the texts of its elements, by name and in order, up to where they are nested too deep. */

import { Parser } from "htmlparser2";

type Elements = (name: string) => readonly string[];

/** Answers have four. The parser takes a time for each element that grows with how deep it lies. */
const DEEPEST = 32;

export const elementsOf = (xml: string): Elements => {
  const found: [name: string, text: string][] = [];
  let text = "";
  let depth = 0;
  const parser = new Parser(
    {
      onopentag: () => {
        text = "";
        depth += 1;
        if (depth > DEEPEST) parser.pause();
      },
      ontext: (piece) => {
        text += piece;
      },
      onclosetag: (name) => {
        found.push([name, text]);
        text = "";
        depth -= 1;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return (name) => found.flatMap(([of, said]) => (of === name ? [said] : []));
};
