/** A command that cannot be carried out: `message` gives each reason on a line. */
export class CommandError extends Error {}

/** @throws CommandError with every reason that is not null, a line each */
export function assertNone (...reasons: Array<string | null>): void {
  const real = reasons.filter(reason => reason !== null)
  if (real.length > 0) throw new CommandError(real.join('\n'))
}
