/** `pdftotext` for hosts without Poppler, with the options that agents use. Writes to standard output if no file is named. */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { getDocumentProxy } from "unpdf";

const flag = { type: "boolean" };
const USAGE = "usage: pdftotext [-f FIRST] [-l LAST] [-layout] PDF [TEXT or -]";

/** Poppler's options have one dash. */
const given = process.argv.slice(2).map((one) => (/^-\w{2,}$/.test(one) ? `-${one}` : one));

const read = () => {
  try {
    const options = {
      first: { type: "string", short: "f", default: "1" },
      last: { type: "string", short: "l" },
      layout: flag,
      raw: flag,
      nopgbrk: flag,
    };
    return parseArgs({ args: given, options, allowPositionals: true });
  } catch (error) {
    return { problem: error.message };
  }
};

/** One line for each line of the page, and a form feed after each page. */
const textOf = async (pdf, no) => {
  const page = await pdf.getPage(no);
  const { items } = await page.getTextContent();
  page.cleanup();
  return `${items.map(({ str = "", hasEOL = false }) => `${str}${hasEOL ? "\n" : ""}`).join("")}\n\f`;
};

const { values, positionals = [], problem } = read();
const [source, target] = positionals;
if (problem !== undefined || source === undefined) {
  console.error(problem ?? USAGE);
  process.exit(99);
}
try {
  const pdf = await getDocumentProxy(new Uint8Array(readFileSync(source)), { verbosity: 0 });
  const last = Math.min(Number(values.last ?? pdf.numPages), pdf.numPages);
  let text = "";
  for (let no = Number(values.first); no <= last; no += 1) text += await textOf(pdf, no);
  if (text.trim() === "") console.error("pdftotext: these pages hold no text; they may be pictures");
  if (target === undefined || target === "-") process.stdout.on("error", () => process.exit(0)).write(text);
  else writeFileSync(target, text);
} catch (error) {
  console.error(`pdftotext: ${error.message}`);
  process.exitCode = 1;
}
