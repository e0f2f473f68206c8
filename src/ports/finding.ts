export interface Finding {
  readonly level: "ok" | "warning" | "error";
  readonly what: string;
  readonly found: string;
  readonly remedy: string | null;
}

type Bad = (what: string, found: string, remedy: string) => Finding;

export const ok = (what: string, found: string): Finding => ({ level: "ok", what, found, remedy: null });

export const warning: Bad = (what, found, remedy) => ({ level: "warning", what, found, remedy });

export const error: Bad = (what, found, remedy) => ({ level: "error", what, found, remedy });

export const findingAbout = (what: string) => ({
  ok: (found: string) => ok(what, found),
  warning: (found: string, remedy: string) => warning(what, found, remedy),
  error: (found: string, remedy: string) => error(what, found, remedy),
});

export const judged = (
  isGood: boolean,
  what: string,
  found: string,
  remedy: string,
  bad = warning,
): Finding => (isGood ? ok(what, found) : bad(what, found, remedy));

export const invalid = (what: string, problems: readonly string[]): readonly Finding[] =>
  problems.map((problem) => error(what, problem, "Correct it; Parley does not start until you do."));
