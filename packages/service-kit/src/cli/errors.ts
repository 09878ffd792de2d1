/** A command failed for known reasons: `message` has a line for each. Exit code 1. */
export class CommandError extends Error {}

/** Wrong usage that the parser does not detect. Exit code 2. */
export class UsageError extends Error {}

/** @throws CommandError with a line for each reason that is not null */
export function assertNone (...reasons: ReadonlyArray<string | null>): void {
  const real = reasons.filter(reason => reason !== null)
  if (real.length > 0) throw new CommandError(real.join('\n'))
}
