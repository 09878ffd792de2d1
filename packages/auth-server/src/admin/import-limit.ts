/** Maximum users in one transaction. Not next to `importUsers`: every command loads it, and that module starts threads. */
export const MAX_IMPORTED = 500
