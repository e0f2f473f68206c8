/** Texts of the elements of an S3 answer in XML, by name and in order. Parsing stops at elements that are nested too deep. */

import { Parser } from "htmlparser2";

type Elements = (name: string) => readonly string[];

/** Real answers have four levels. The parser's time for an element grows with its depth. */
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
