/** Whether what an answer cites was written to be read by people who use the software. Pure. */

/** A page at an address is one, but for what a forge has: issues, discussions and their like are nobody's manual. */
export const isDocumentation = (cited: string): boolean =>
  /^https?:\/\//i.test(cited)
    ? !/\/(?:-\/)?(?:issues|pull|pulls|merge_requests|discussions|releases)(?:\/|$)/.test(cited)
    : /\.(?:md|mdx|rst|adoc|txt|ipynb)$/i.test(cited) ||
      /(?:^|\/)(?:docs?|documentation|website|guides?)\//i.test(cited);
