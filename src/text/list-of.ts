/** Reads untrusted lists until the first invalid entry, because thousands of issues block the event loop. */

interface Entry<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

interface Context {
  addIssue(issue: { readonly code: "custom"; path?: PropertyKey[]; readonly message: string }): void;
}

/** For `transform`: an invalid list reports its first invalid entry, and no later entry is read. */
export const listOf =
  <T>(entry: Entry<T>) =>
  (value: unknown, context: Context): readonly T[] => {
    if (!Array.isArray(value)) {
      context.addIssue({ code: "custom", message: "must be a list" });
      return [];
    }
    const read: T[] = [];
    for (const [index, one] of value.entries()) {
      const parsed = entry.safeParse(one);
      if (!parsed.success) {
        const { path = [], message = "is wrong" } = parsed.error.issues[0] ?? {};
        context.addIssue({ code: "custom", path: [index, ...path], message });
        return [];
      }
      read.push(parsed.data);
    }
    return read;
  };
