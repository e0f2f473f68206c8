/**
 * Reads untrusted lists until the first invalid entry. A plain schema makes an issue of each invalid entry, and thousands of
 * issues block the event loop. Works with schemas of any library with zod's shape.
 */

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

/**
 * For `transform`: returns an array of valid entries. An invalid array reports its first invalid entry, and no later one is
 * read.
 */
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
