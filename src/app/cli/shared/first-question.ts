/** The sentence that ends `parley start` and `parley setup`: where to ask, and a question that every repository can answer. */

/** `surfaces`: titles of the connected chat platforms. `url`: the console's link if it was just printed. `repo`: the default repository. */
export const firstQuestion = ({
  surfaces,
  url,
  repo,
}: {
  readonly surfaces: readonly string[];
  readonly url: string | null;
  readonly repo: string | null;
}): string => {
  const chat = surfaces.length === 0 ? [] : [`mention the bot in a channel of ${surfaces.join(" or ")}`];
  const places = [...(url === null ? [] : ["open the link"]), ...chat];
  const where = places.length === 0 ? "start Parley, open the printed link" : places.join(", or ");
  const choose = repo === null ? `, name a repository${url === null ? " there" : ""}` : "";
  const steps = `${where[0]?.toUpperCase()}${where.slice(1)}${choose}`;
  return `${steps}${steps.includes(",") ? "," : ""} and ask: ${QUESTION}`;
};

const QUESTION = "What does this repository do?";
