/** Dispatches gateway events by type. Each event is parsed by its schema and ignored if it does not match. */

import * as z from "zod";

type Hear = (data: unknown) => void;

export const dispatchByType = (all: Readonly<Record<string, Hear>>) => {
  const hearers = new Map(Object.entries(all));
  return (type: string, data: unknown): void => hearers.get(type)?.(data);
};

export const hearing =
  <S extends z.ZodType>(schema: S, act: (one: z.output<S>) => void): Hear =>
  (data) => {
    const read = schema.safeParse(data);
    if (read.success) act(read.data);
  };

export const withIdSchema = z.object({ id: z.string() });
