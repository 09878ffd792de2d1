/** The state of an account, as text. */
export function stateOf ({ demo, disabledAt, passwordSetAt }: { demo: boolean, disabledAt: Date | null, passwordSetAt?: Date | null }): string {
  return (disabledAt !== null ? 'disabled' : passwordSetAt === null ? 'invited' : 'enabled') + (demo ? ' (demo)' : '')
}

/** Formats a time in UTC, to the minute. */
export function minuteOf (time: Date | null): string {
  return time === null ? '–' : `${time.toISOString().slice(0, 16).replace('T', ' ')}Z`
}
