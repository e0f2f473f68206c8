/** Page numbers from the `Link` header of GitHub's answers. Pure. */

import type { Page } from "../api/gather.ts";

export const pagedBy = ({ link }: { readonly link?: string | undefined }): Omit<Page<never>, "items"> => {
  const links = (link ?? "").slice(0, MAX_HEADER).split(",");
  return {
    isLast: links.every((one) => !one.includes('rel="next"')),
    lastPage: pageIn(links.find((one) => one.includes('rel="last"'))),
  };
};

const MAX_HEADER = 8_000;

const pageIn = (link: string | undefined): number | null => {
  const [, page] = /[?&]page=(\d{1,6})[&>]/.exec(link ?? "") ?? [];
  return page === undefined ? null : Number(page);
};
