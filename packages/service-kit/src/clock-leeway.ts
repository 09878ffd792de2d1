/** How far clocks may differ, in seconds: resource servers accept an access token for so long after it expired. */
export const CLOCK_LEEWAY_S = 60
