/** The state of an account, as text. */
export function stateOf ({ demo, disabledAt }: { demo: boolean, disabledAt: Date | null }): string {
  return (disabledAt === null ? 'enabled' : 'disabled') + (demo ? ' (demo)' : '')
}

/** Formats a time in UTC, to the minute. */
export function minuteOf (time: Date | null): string {
  return time === null ? '–' : `${time.toISOString().slice(0, 16).replace('T', ' ')}Z`
}
