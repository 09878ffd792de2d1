/** A user, or a client, which has no password. */
interface Account { readonly demo: boolean, readonly disabledAt: Date | null, readonly passwordSetAt?: Date | null }

/** The state of an account, as text. */
export function stateOf ({ demo, disabledAt, passwordSetAt }: Account): string {
  const state = disabledAt !== null ? 'disabled' : passwordSetAt === null ? 'invited' : 'enabled'
  return state + (demo ? ' (demo)' : '')
}

/** Formats a time in UTC, to the minute. */
export function minuteOf (time: Date | null): string {
  return time === null ? '–' : `${time.toISOString().slice(0, 16).replace('T', ' ')}Z`
}
