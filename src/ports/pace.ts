/** Keeps the event loop free while long bodies are read. `turn` yields to the event loop, after each half MiB. */
export const createPause = (turn: () => Promise<unknown>): ((bytes: number) => Promise<void>) => {
  let read = 0;
  return async (bytes) => {
    read += bytes;
    if (read < PIECE) return;
    read = 0;
    await turn();
  };
};

const PIECE = 2 ** 19;
