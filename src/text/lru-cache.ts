/** `weigh`: weight of a value when it is set; 1 by default. */
export const createLruCache = <Value>(most: number, weigh: (value: Value) => number = () => 1) => {
  const kept = new Map<string, { readonly value: Value; readonly weight: number }>();
  let weight = 0;
  const forget = (key: string): void => {
    weight -= kept.get(key)?.weight ?? 0;
    kept.delete(key);
  };
  return {
    get: (key: string) => kept.get(key)?.value,
    forget,
    set: (key: string, value: Value): void => {
      forget(key);
      const one = { value, weight: weigh(value) };
      kept.set(key, one);
      weight += one.weight;
      for (const [oldest] of kept) {
        if (weight <= most) break;
        forget(oldest);
      }
    },
  };
};
