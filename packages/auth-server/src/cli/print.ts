import { stateOf } from '../admin/user-details.js'

type Account = Parameters<typeof stateOf>[0] & { readonly demo: boolean }

/** The state of a user or a client, as text. */
export function describeState (account: Account): string {
  return stateOf(account) + (account.demo ? ' (demo)' : '')
}

/** Formats a time in UTC, to the minute. */
export function minuteOf (time: Date | null): string {
  return time === null ? '–' : `${time.toISOString().slice(0, 16).replace('T', ' ')}Z`
}
