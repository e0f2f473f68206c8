/** The table of docs/performance.md: a few results with their peers. Pure. */

import type { Measured } from "./figure.ts";
import { quantity } from "./table.ts";

interface Results {
  readonly machine: {
    readonly at: string;
    readonly cpu: string;
    readonly cores: number;
    readonly memoryMB: number;
    readonly kernel: string;
    readonly node: string;
  };
  readonly benches: readonly {
    readonly name: string;
    readonly figures: readonly (
      | Pick<Measured, "kind" | "what" | "unit" | "median" | "beside">
      | { readonly kind: "skipped"; readonly what: string }
    )[];
  }[];
}

/** Label of a row, then the result as `bench: what`. */
const ROWS: readonly (readonly [label: string, result: string])[] = [
  ["Start of a Restricted command", "sandbox: T0 (root): Restricted, asked for in C"],
  ["64 commands at once", "sandbox: T0 (root): 64 at once, all done"],
  ["Slack answer: calls", "answers-alone: Slack, one of 2,000 characters: of which write the answer"],
  ["Slack answer: processor time", "answers-alone: Slack, one of 2,000 characters: processor time for each"],
  ["Slack answer: delay, p50", "answers-alone: Slack, one of 2,000 characters: readers behind, p50"],
  ["Long Slack answer: delay, p50", "answers-alone: Slack, one of 12,000 characters: readers behind, p50"],
  ["Discord answer: calls", "answers-alone: Discord, one of 2,000 characters: of which write the answer"],
  ["Discord answer: delay, p50", "answers-alone: Discord, one of 2,000 characters: readers behind, p50"],
  ["50 Slack answers: delay, p50", "answers-at-once: Slack, 50 of 2,000 characters: readers behind, p50"],
  ["50 Discord answers: delay, p50", "answers-at-once: Discord, 50 of 2,000 characters: readers behind, p50"],
  ["Idle memory, console only", "idle: console alone: the host and its helpers"],
  ["Idle memory, Slack and Discord", "idle: Slack and Discord connected: the host and its helpers"],
];

/** Peers of the table; the complete results have more. */
const PEERS: ReadonlyMap<string, string> = new Map([
  ["a plain spawn", "plain spawn"],
  ["bubblewrap", "bubblewrap"],
  ["firejail", "firejail"],
  ["srt", "srt"],
  ["Chat SDK", "Chat SDK"],
  ["by hand", "by hand"],
]);

const BEGIN = "<!-- Made by npm run bench: do not edit. -->\n";
const END = "<!-- End -->\n";

/** The page with the block between the two marks made from these results. */
export const withSummary = (page: string, results: Results): string => {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error("docs/performance.md lacks the marks around its table");
  return `${page.slice(0, begin)}${BEGIN}${summaryOf(results)}${page.slice(end)}`;
};

const summaryOf = ({ machine, benches }: Results): string => {
  const { at, cpu, cores, memoryMB, kernel, node } = machine;
  const lines = ROWS.map(([label, result]) => {
    const [name, what] = [result.slice(0, result.indexOf(":")), result.slice(result.indexOf(":") + 2)];
    const found = benches.find((bench) => bench.name === name)?.figures.find((one) => one.what === what);
    if (found?.kind !== "measured") return `| ${label} | not measured | |`;
    const peers = found.beside.flatMap((one) => {
      const who = PEERS.get(one.who);
      return one.kind === "measured" && who !== undefined ? [`${who} ${quantity(one.median, found)}`] : [];
    });
    return `| ${label} | ${quantity(found.median, found)} | ${peers.join(", ")} |`;
  });
  return [
    `Medians of ${at.slice(0, 10)}: ${cpu}, ${cores} cores, ${Math.round(memoryMB / 1024)} GB, Linux ${kernel.split("-")[0]}, Node ${node}.`,
    "",
    "| Measurement | Parley | Peers |",
    "|---|---|---|",
    ...lines,
    "",
  ].join("\n");
};
