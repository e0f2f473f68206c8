/** What an S3 store says in XML: the texts of its elements, by name and in order. */

import { Parser } from "htmlparser2";

export type Elements = (name: string) => readonly string[];

export const elementsOf = (xml: string): Elements => {
  const found: [name: string, text: string][] = [];
  let text = "";
  const parser = new Parser(
    {
      onopentag: () => {
        text = "";
      },
      ontext: (piece) => {
        text += piece;
      },
      onclosetag: (name) => {
        found.push([name, text]);
        text = "";
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return (name) => found.flatMap(([of, said]) => (of === name ? [said] : []));
};
