/** Messages of the demo's tour, in their order. */

export const TOUR = [
  "What does this repository do?",
  "draft a change",
  "add a line to README",
  "denied write",
  "slow command",
  "long answer",
] as const;

export type Station = (typeof TOUR)[number];

export const stationAfter = (station: Station): Station =>
  TOUR[(TOUR.indexOf(station) + 1) % TOUR.length] ?? TOUR[0];

/** Messages to suggest after a person's last message. */
export const suggestedAfter = (last: string): readonly Station[] => {
  const at = TOUR.findIndex((one) => one.toLowerCase() === last.trim().toLowerCase()) + 1;
  return [...TOUR.slice(at), ...TOUR.slice(0, at)].slice(0, MOST);
};

const MOST = 4;
