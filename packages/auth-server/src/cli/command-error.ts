/** A command that fails for known reasons: `message` has a line for each. */
export class CommandError extends Error {}

/** @throws CommandError with every reason that is not null, a line each */
export function assertNone (...reasons: Array<string | null>): void {
  const real = reasons.filter(reason => reason !== null)
  if (real.length > 0) throw new CommandError(real.join('\n'))
}
