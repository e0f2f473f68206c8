/** Removes the signs at the start of a title that make a draft on GitLab. Pure. */
export const withoutDraft = (title: string): string =>
  title.replace(/^(?:\s*(?:\[draft\]|\(draft\)|draft:))+\s*/i, "").trim() || title;
