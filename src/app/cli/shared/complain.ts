export const complain = (message: string): number => {
  console.error(message);
  return 1;
};
