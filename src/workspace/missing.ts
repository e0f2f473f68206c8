/** Whether what the file system threw says that there is nothing at that path. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

/** Null for a path where nothing is; throws everything else. */
export const unlessMissing = (error: unknown): null => {
  if (isMissing(error)) return null;
  throw error;
};
