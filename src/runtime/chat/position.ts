/** The order of a platform's ids within a place: of two the longer is later, of two as long the one that sorts later. */

export const comparePositions = (a: string, b: string): number =>
  a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
