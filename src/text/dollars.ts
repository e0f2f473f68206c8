/** Formats as `$12.50`, with more digits below a cent. `amount`: in millionths of a US dollar. */
export const dollars = (amount: number): string => {
  const value = amount / 1_000_000;
  return `$${value.toFixed(value > 0 && value < 0.01 ? 4 : 2)}`;
};
