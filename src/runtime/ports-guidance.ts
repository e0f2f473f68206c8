/** What a repository says itself about how to work in it (9, item 4). */

export interface Guidance {
  /** In the repository. */
  readonly path: string;
  /** Whole lines, as many as are told. */
  readonly text: string;
  /** Bytes of the whole file. */
  readonly size: number;
  readonly isCut: boolean;
}
