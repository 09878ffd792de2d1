/** A command that fails for known reasons: `message` has a line for each. Exit code 1. */
export class CommandError extends Error {}

/** Wrong usage that the options do not rule out themselves. Exit code 2. */
export class UsageError extends Error {}

/** @throws CommandError with every reason that is not null, a line each */
export function assertNone (...reasons: ReadonlyArray<string | null>): void {
  const real = reasons.filter(reason => reason !== null)
  if (real.length > 0) throw new CommandError(real.join('\n'))
}
