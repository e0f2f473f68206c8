/** A post has at most one correction. The id has no slash, because it is a part of an address. */
export const correctionId = (watch: string, place: string, post: string): string =>
  `${watch}:${place}:${post}`;
