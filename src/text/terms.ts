/** Scripts without blanks are indexed as pairs of neighboring signs, so that any two adjacent signs can be found. */

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+/gu;

export const toIndexText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\0/g, " ")
    .replaceAll(UNSPACED, (run) => ` ${pairs(run).join(" ")} `);

const pairs = (run: string): readonly string[] => {
  const signs = Array.from(run);
  return signs.length === 1 ? signs : signs.slice(1).map((sign, index) => `${signs[index]}${sign}`);
};

const MOST_TERMS = 24;
const LONGEST_QUERY = 1_000;

/** Distinctive words, each once, in the form that FTS5 accepts between quotation marks. */
export const termsOf = (query: string): readonly string[] => {
  const all = Array.from(toIndexText(query.slice(0, LONGEST_QUERY)).matchAll(WORD), ([word]) =>
    word.toLowerCase(),
  );
  const telling = all.filter((word) => !COMMON.has(word));
  return [...new Set(telling.length === 0 ? all : telling)].slice(0, MOST_TERMS);
};

/** Words as unicode61 separates them. */
const WORD = /[\p{L}\p{N}\p{Co}\p{M}]+/gu;

const COMMON: ReadonlySet<string> = new Set(
  `a about after all also am an and any are as at be because been before but by can could did do does doing don else for from get
  got had has have how i if in into is it its just like me my no not of on once one only or our out over please s same should so some
  such t than that the their them then there these they this to too up us use using very want was way we were what when where which
  while who why will with work works would you your
  aber als am an auch auf aus bei bin bis da das dass dem den der des die doch du ein eine einem einen einer eines er es für hat ich
  im in ist kann man mein mich mit nach nicht noch nur oder sein sich sie sind so und uns vom von vor war was wenn wer wie wir wird
  wo zu zum zur
  como con cuando de del donde el en es esta este esto hay la las lo los mi para pero por puedo que qué se si sin su un una y`.split(
    /\s+/,
  ),
);
