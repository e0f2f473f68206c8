/** What a text says as JSON; undefined where it is none, which no schema of an object takes. */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
