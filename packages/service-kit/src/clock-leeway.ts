/** Tolerated difference of clocks, in seconds: how long resource servers accept an expired access token. */
export const CLOCK_LEEWAY_S = 60
