/** A thread without what differs from day to day: how long turns took, and when somebody decided. */
export const timeless = (thread: string): string =>
  thread
    .replaceAll(/( · | times in )(?:\d+ min )?[\d.]+ s\b/g, "$1N s")
    // A step says what it took only where that was long.
    .replaceAll(/^(>> .*) · N s$/gm, "$1")
    .replaceAll(/<t:\d+:[tf]>/g, "<t:then>")
    .replaceAll(/<!date\^\d+\^([^|]*)\|[^>]*>/g, "<!date $1>");
