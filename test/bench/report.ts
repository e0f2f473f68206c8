/**
 * `npm run bench -- report FILE…`: makes results.md and the table of docs/performance.md from results (`--json`), and keeps them in
 * results.json. If several files contain a benchmark, the last one counts. Benchmarks outside the table are left out. causes.txt explains
 * missed targets.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Beside, Figure, Measured } from "./figure.ts";
import { withSummary } from "./summary.ts";
import { quantity, short, spread, targetText } from "./table.ts";

const summary = {
  samples: z.int(),
  p5: z.number(),
  median: z.number(),
  p95: z.number(),
  p99: z.number(),
};
const skipped = { kind: z.literal("skipped"), why: z.string() };
const beside = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("measured"),
    who: z.string(),
    ...summary,
    ratio: z.object(summary).nullable(),
  }),
  z.object({ ...skipped, who: z.string() }),
]);
const figure = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("measured"),
    what: z.string(),
    unit: z.string(),
    ...summary,
    target: z
      .object({
        of: z.enum(["median", "p95", "p99"]),
        is: z.enum(["at most", "at least"]),
        value: z.number(),
        than: z.string().optional(),
      })
      .nullable(),
    ok: z.boolean().nullable(),
    beside: z.array(beside).readonly(),
  }),
  z.object({ ...skipped, what: z.string() }),
]);
const outcome = z.object({
  name: z.string(),
  what: z.string(),
  seconds: z.number(),
  figures: z.array(figure).readonly(),
});
const results = z.object({
  machine: z.object({
    at: z.string(),
    cpu: z.string(),
    cores: z.int(),
    memoryMB: z.number(),
    kernel: z.string(),
    node: z.string(),
    uid: z.number().nullable(),
    load: z.number(),
  }),
  scale: z.enum(["full", "tiny"]),
  benches: z.array(outcome).readonly(),
});
type Results = Readonly<z.infer<typeof results>>;
type Outcome = Results["benches"][number];

/** What the page shows, in this order. */
export const TABLE: readonly string[] = [
  "sandbox",
  "answers-alone",
  "answers-at-once",
  "streams",
  "step",
  "start",
  "idle",
  "cost",
  "model",
  "drafts",
  "hooks",
  "knowledge",
  "fleet",
];

const RESULTS = join(import.meta.dirname, "results.json");
const CAUSES = join(import.meta.dirname, "causes.txt");
export const PAGE = join(import.meta.dirname, "results.md");
export const SUMMARY = join(import.meta.dirname, "../../docs/performance.md");

/** What falls short without a cause in causes.txt, as rows of that file. */
export const report = (files: readonly string[]): readonly string[] => {
  const read = files.map((file) => results.parse(JSON.parse(readFileSync(file, "utf8"))));
  const last = read.at(-1);
  if (last === undefined) throw new Error("no results were named");
  const benches = new Map(read.flatMap((one) => one.benches).map((one) => [one.name, one]));
  const kept: Results = { ...last, benches: TABLE.flatMap((name) => benches.get(name) ?? []) };
  writeFileSync(RESULTS, `${JSON.stringify(kept, brief)}\n`);
  writeFileSync(PAGE, pageOfResults());
  writeFileSync(SUMMARY, withSummary(readFileSync(SUMMARY, "utf8"), kept));
  const causes = causesIn(readFileSync(CAUSES, "utf8"));
  return kept.benches.flatMap(({ name, figures }) =>
    figures.flatMap((one) =>
      one.kind === "measured" && one.ok === false && causeOf(causes, name, one) === null
        ? [`${name}: ${one.what}`]
        : [],
    ),
  );
};

/** Five digits that count are enough for a file that is kept. */
const brief = (_key: string, value: unknown): unknown =>
  typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;

export const pageOfResults = (): string => pageOf(keptResults(), causesIn(readFileSync(CAUSES, "utf8")));

export const keptResults = (): Results => results.parse(JSON.parse(readFileSync(RESULTS, "utf8")));

interface Cause {
  /** Of `bench: what`; `*` stands for anything. */
  readonly row: RegExp;
  readonly text: string;
}

/** A line that is not indented names rows, the indented ones below say why they fall short. */
export const causesIn = (text: string): readonly Cause[] =>
  text.split(/\n(?=\S)/).flatMap((part) => {
    const [row = "", ...lines] = part.split("\n");
    const cause = lines.map((line) => line.trim()).filter((line) => line !== "");
    if (row.startsWith("#") || cause.length === 0) return [];
    return [{ row: patternOf(row.trim()), text: cause.join(" ") }];
  });

export const patternOf = (row: string): RegExp =>
  new RegExp(`^${row.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`);

const causeOf = (causes: readonly Cause[], name: string, { what }: Figure): string | null =>
  causes.find(({ row }) => row.test(`${name}: ${what}`))?.text ?? null;

export const pageOf = ({ machine, scale, benches }: Results, causes: readonly Cause[]): string => {
  const { at, cpu, cores, memoryMB, kernel, node, uid, load } = machine;
  const missing = TABLE.filter((name) => !benches.some((bench) => bench.name === name));
  const minutes = benches.reduce((sum, { seconds }) => sum + seconds, 0) / 60;
  return [
    "# Results of the benchmarks",
    `Made by \`npm run bench -- report\` from results of ${at.slice(0, 10)}: ${cpu}, ${cores} cores, ${Math.round(memoryMB / 1024)} GB, Linux ${kernel}, Node ${node}, ${uid === 0 ? "root" : "an ordinary user"}, load ${short(load)} before it began.${scale === "tiny" ? " **The scale was `--tiny`, which shows that everything runs: the figures mean nothing.**" : ""}`,
    `\`npm run bench -- peers\` installs what Parley is measured beside, \`npm run bench -- table --json FILE\` measures everything here in ${Math.ceil(minutes)} minutes, and \`npm run bench NAME\` one part; \`npm run bench\` measures the same and shows the most of it on one screen. A cell is the median with the 5th to 95th percentile of the samples; a peer's has Parley in proportion to it, formed round by round, in brackets. What falls short says why.`,
    ...benches.flatMap((bench) => [
      `## ${bench.name}`,
      `${bench.what[0]?.toUpperCase()}${bench.what.slice(1)}. \`npm run bench ${bench.name}\`, ${Math.round(bench.seconds)} s.`,
      tableOf(bench, causes),
    ]),
    ...(missing.length === 0
      ? []
      : [
          "## Not measured yet",
          `These have no results so far: ${missing.map((name) => `\`npm run bench ${name}\``).join(", ")}.`,
        ]),
    "",
  ]
    .join("\n\n")
    .trimEnd()
    .concat("\n");
};

const tableOf = ({ name, figures }: Outcome, causes: readonly Cause[]): string => {
  const peers = [
    ...new Set(figures.flatMap((one) => (one.kind === "measured" ? one.beside.map(({ who }) => who) : []))),
  ];
  const lines = [
    ["what", "Parley", ...peers, "asked", ""],
    ["---", "--:", ...peers.map(() => "--:"), "---", "---"],
    ...figures.map((one) =>
      one.kind === "skipped"
        ? [one.what, ...peers.map(() => ""), "", "", one.why]
        : [
            one.what,
            cell(one, one),
            ...peers.map((who) =>
              besideCell(
                one.beside.find((peer) => peer.who === who),
                one,
              ),
            ),
            one.target === null ? "" : targetText(one.target, one),
            verdictOf(one, causeOf(causes, name, one)),
          ],
    ),
  ];
  return lines
    .map((cells) => `| ${cells.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
};

export const cell = (
  one: Pick<Measured, "samples" | "median" | "p5" | "p95">,
  { unit }: Pick<Measured, "unit">,
): string =>
  one.samples === 1 ? quantity(one.median, { unit }) : `${quantity(one.median, { unit })} (${spread(one)})`;

export const besideCell = (one: Beside | undefined, figure: Pick<Measured, "unit">): string => {
  if (one === undefined) return "";
  if (one.kind === "skipped") return one.why;
  const { ratio } = one;
  return ratio === null
    ? cell(one, figure)
    : `${quantity(one.median, figure)} [${short(ratio.median)}${ratio.samples === 1 ? "" : `: ${spread(ratio)}`}]`;
};

const verdictOf = ({ ok }: Pick<Measured, "ok">, cause: string | null): string =>
  ok === false ? `falls short: ${cause ?? "nobody has said why"}` : ok === true ? "holds" : "";
