/** The person behind the console's token (D4). */
export const CONSOLE_OPERATOR = "console:operator" as const;
