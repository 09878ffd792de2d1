/** A command that fails for a known reason: `message` says why, and what to do. */
export class CommandError extends Error {}
