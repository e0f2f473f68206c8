/**
 * Shows a growing text in messages of at most `most` characters: the last is edited once a second, as most bots do that
 * are written by hand. `write(text)` begins a message and answers how to edit it.
 */
export const show = async (chunks, most, write) => {
  const parts = [];
  let text = "";
  let shown = "";
  let isOver = false;

  const update = async () => {
    const wanted = cut(text, most);
    for (const [at, part] of wanted.entries()) {
      if (parts[at] === undefined) parts[at] = { edit: await write(part), text: part };
      else if (parts[at].text !== part) {
        await parts[at].edit(part);
        parts[at].text = part;
      }
    }
  };
  const loop = async () => {
    while (!isOver || shown !== text) {
      if (shown === text) await new Promise((resolve) => setTimeout(resolve, 20));
      else {
        const next = text;
        await update();
        shown = next;
        if (!isOver) await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
    }
  };
  const showing = loop();
  for await (const chunk of chunks) text += chunk;
  isOver = true;
  await showing;
};

/** At ends of lines, so that a part that has begun never changes behind the next one. */
const cut = (text, most) => {
  const parts = [];
  let rest = text;
  while (rest.length > most) {
    const end = rest.lastIndexOf("\n", most) + 1 || most;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...parts, rest].filter((part) => part.trim() !== "");
};
