/** A command that fails for a known reason: `message` has the reason and what to do. */
export class CommandError extends Error {}
