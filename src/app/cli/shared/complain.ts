/** What a command says on standard error before it ends with status 1. */

export const complain = (message: string): number => {
  console.error(message);
  return 1;
};
