/** What a file of a message is called. Pure. */

interface Named {
  readonly name?: string | null | undefined;
  readonly title?: string | null | undefined;
}

/** The title that people see, before the name that says what the file is. */
export const shownFileName = ({ name, title }: Named): string => {
  const known = name ?? title ?? "file";
  return typeof title !== "string" || title === "" || known.startsWith(title) ? known : `${title} - ${known}`;
};
