/** Text of a PDF, by a program in the command's own sandbox. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createWorld, type World } from "./world.ts";

/** Pages of one line each; `script`: JavaScript that runs when a viewer opens the file. */
const pdf = (lines: readonly string[], script?: string): Buffer => {
  const pages = lines.map((_, index) => `${5 + index * 2} 0 R`).join(" ");
  const action = script === undefined ? "" : ` /OpenAction << /S /JavaScript /JS (${script}) >>`;
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R${action} >>`,
    `<< /Type /Pages /Kids [${pages}] /Count ${lines.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    "<< /Producer (test) >>",
    ...lines.flatMap((line, index) => {
      const text = `BT /F1 12 Tf 40 700 Td (${line}) Tj ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${6 + index * 2} 0 R >>`,
        `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
      ];
    }),
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const size = objects.length + 1;
  return Buffer.from(
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
    "latin1",
  );
};

let world: World;
beforeAll(async () => {
  world = await createWorld({ "page.html": "<p>no PDF</p>" });
  await world.write("report.pdf", pdf(["First page", "Second page: boom", "Third page"]));
  await world.write("scan.pdf", pdf([" "]));
  await world.write("active.pdf", pdf(["Plain words"], "app.launchURL\\(\\'http://127.0.0.1\\'\\)"));
  await world.write("cut.pdf", pdf(["First page"]).subarray(0, 300));
});
afterAll(() => world.close());

/** The package's program, also where the system has one of the same name. */
const run = (command: string) =>
  world.call(
    "bash",
    { command: command.replaceAll("PDF", '"${PATH##*:}/pdftotext"') },
    { permission: world.reading },
  );

it("a command in Restricted reads and searches the text", async () => {
  expect((await run("PDF report.pdf - | grep -n boom")).text).toContain("Second page: boom");
  expect((await run("PDF -f 3 -l 9 -layout report.pdf")).text.trim()).toBe("Third page");
  expect((await run("pdftotext report.pdf - | head -1")).text).toContain("First page");
  expect((await run('PDF report.pdf "$TMPDIR/o.txt" && cat "$TMPDIR/o.txt" | wc -l')).text.trim()).toBe("3");
});

it("a script in the file is never run", async () => {
  expect((await run("PDF active.pdf -")).text.trim()).toBe("Plain words");
});

it("what holds no text is said in a sentence, and what is no PDF is an error", async () => {
  expect((await run("PDF scan.pdf -")).text).toContain("these pages hold no text; they may be pictures");
  expect(await run("PDF page.html -")).toMatchObject({ isError: true });
  expect(await run("PDF missing.pdf -")).toMatchObject({ isError: true });
  expect((await run("PDF --nonsense report.pdf")).text).toContain("Unknown option");
  expect((await run("PDF cut.pdf - || true")).text.length).toBeLessThan(500);
});
