/** How far clocks may differ, in seconds: so long after its end a token is accepted. */
export const CLOCK_LEEWAY_S = 60
