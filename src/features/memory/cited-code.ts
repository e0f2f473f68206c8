/** Code that notes cite: lines as `path:line`, and symbols in backticks. Read at the newest commit of the repository's branch. */

import type { Core } from "../../feature.ts";
import type { Millis } from "../../machine/id.ts";
import type { ComparisonRepo, Tip } from "../../ports/commits.ts";
import type { Repo, RepositoryBinding } from "../../ports/conversation.ts";
import { parseCitation } from "../../text/citation.ts";
import type { ChannelNote, NoteCitation } from "./note.ts";

export interface FoundCode {
  readonly cited: readonly NoteCitation[];
  /** Commit at which the code was found; null if nothing is cited or the repository was unreachable. */
  readonly commit: string | null;
}

export interface CitedCode {
  /** Returns the citations of the text that exist in the code. */
  find(text: string, repo: RepositoryBinding | null): Promise<FoundCode>;
  /** Returns the names of changed code; null if the repository is unreachable. `commit`: the new commit. */
  check(
    note: ChannelNote,
    repo: Repo,
    since: Millis,
  ): Promise<{ readonly commit: string; readonly gone: string | null } | null>;
}

const CITED_AT_MOST = 5;

export const createCitedCode = (
  { commits, lines, clock }: Pick<Core, "commits" | "lines" | "clock">,
  signal: AbortSignal,
): CitedCode => {
  const tipOf = async (repo: Repo, since: Millis): Promise<Tip | null> => {
    const found = await commits.tip(repo, since, signal);
    return found.kind === "tip" ? found.tip : null;
  };
  const within = async <T>(tip: Tip, work: (repo: ComparisonRepo) => Promise<T>): Promise<T | null> => {
    const done = await commits.within(tip, signal, work);
    return done.kind === "done" ? done.value : null;
  };

  return {
    find: async (text, repo) => {
      const named = citedIn(text);
      if (named.length === 0 || repo === null) return NOTHING;
      const tip = await tipOf(repo, clock.now() - RECENT);
      if (tip === null) return NOTHING;
      const { commit } = tip;
      const found = await within(tip, (git) => foundIn(git, commit, named));
      if (found === null) return NOTHING;
      const cited = named.flatMap((one, index): readonly NoteCitation[] =>
        found[index] === true ? [one.kind === "lines" ? { ...one, commit } : one] : [],
      );
      return { cited, commit };
    },
    check: async (note, repo, since) => {
      const tip = await tipOf(repo, since);
      if (tip === null) return null;
      const { commit } = tip;
      if (commit === note.looked) return { commit, gone: null };
      const spans = note.cited.flatMap((one) => (one.kind === "lines" ? [one] : []));
      const symbols = note.cited.flatMap((one) => (one.kind === "symbol" ? [one] : []));
      const compared =
        spans.length === 0 || lines === null
          ? []
          : await lines.compare(
              tip,
              spans.map((one) => ({ ...one, blob: null, stood: note.looked ?? one.commit, now: null })),
              signal,
            );
      if (!Array.isArray(compared) && compared.kind === "failed") return null;
      const changes = Array.isArray(compared) ? [] : compared.value;
      if (changes.includes("unknown")) return null;
      const left = symbols.length === 0 ? [] : await within(tip, (git) => foundIn(git, commit, symbols));
      if (left === null) return null;
      const gone = [
        ...spans.flatMap(({ file, from }, index) => {
          const change = changes[index];
          return change != null && change !== "unknown" && change.kind === "changed"
            ? [`${file}:${from}`]
            : [];
        }),
        ...symbols.flatMap(({ name }, index) => (left[index] === false ? [name] : [])),
      ];
      return { commit, gone: gone.length === 0 ? null : gone.join(", ") };
    },
  };
};

const RECENT: Millis = 60_000;
const NOTHING: FoundCode = { cited: [], commit: null };

type NamedCode =
  | Omit<Extract<NoteCitation, { readonly kind: "lines" }>, "commit">
  | Extract<NoteCitation, { readonly kind: "symbol" }>;

/** At most CITED_AT_MOST, each once. */
export const citedIn = (text: string): readonly NamedCode[] => {
  const found = new Map<string, NamedCode>();
  for (const [, quoted = "", bare = ""] of text.matchAll(/`([^`\s]{2,200})`|(\S+:\d+(?:-\d+)?)/gu)) {
    const word = quoted === "" ? bare.replace(/[.,;:)\]]+$/u, "") : quoted;
    const span = parseCitation(word);
    if (span !== null && span.from > 0)
      found.set(word, { kind: "lines", file: span.path.replace(/^\.\//, ""), from: span.from, to: span.to });
    else if (quoted !== "" && SYMBOL.test(word))
      found.set(word, { kind: "symbol", name: word.replace(/\(\)$/, "") });
  }
  return [...found.values()].slice(0, CITED_AT_MOST);
};

/** An identifier with a sign of code: a capital inside, an underscore, a dot, a dollar sign or parentheses. */
const SYMBOL = /^(?=.*(?:[a-z\d][A-Z]|[_.$]|\(\)$))[A-Za-z_$][\w$]*(?:[.:]{1,2}[A-Za-z_$][\w$]*)*(?:\(\))?$/;

const foundIn = async (
  git: ComparisonRepo,
  commit: string,
  named: readonly NamedCode[],
): Promise<readonly boolean[]> => {
  const asked = named.map((one) =>
    one.kind === "lines" ? `lines\t${one.to}\t${commit}:${one.file}` : `symbol\t${commit}\t${one.name}`,
  );
  const answers = (await git.ask(FIND, asked.map((line) => `${line}\n`).join(""))).split("\n");
  return named.map((_, index) => answers[index] === "yes");
};

/** One line of input for each thing to find, one line of output: `yes` or `no`. */
const FIND = String.raw`tab="$(printf '\t')"
while IFS="$tab" read -r kind first second; do
  found=no
  if [ "$kind" = lines ]; then
    count="$(git cat-file blob "$second" 2>/dev/null | sed -n '$=')"
    if [ "0$count" -ge "$first" ]; then found=yes; fi
  else
    if git grep -q -w -F -e "$second" "$first" -- 2>/dev/null; then found=yes; fi
  fi
  echo "$found"
done`;
