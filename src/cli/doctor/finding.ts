/** One line of doctor's. */

export interface Finding {
  readonly level: "ok" | "warning" | "error";
  readonly what: string;
  readonly found: string;
  /** What to do next; null where nothing needs doing. */
  readonly remedy: string | null;
}

export const ok = (what: string, found: string): Finding => ({ level: "ok", what, found, remedy: null });

export const warning = (what: string, found: string, remedy: string): Finding => ({
  level: "warning",
  what,
  found,
  remedy,
});

export const error = (what: string, found: string, remedy: string): Finding => ({
  level: "error",
  what,
  found,
  remedy,
});
