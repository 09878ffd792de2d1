import { text } from '@frontdesk/service-kit/settings'
import { Type } from '@sinclair/typebox'

/** Maximum requests of a caller in a time window. */
export interface RateLimit {
  readonly requests: number
  /** Length of the window, which begins with its first request. */
  readonly seconds: number
}

export const rateLimitSetting = Type.Optional(text(
  'Requests that a user can send with one app in a time window, such as `600/60s`, and twice as many with all apps. Without it, there is no limit.',
  'be a number of requests up to 999999 and a window of up to 9999 seconds, such as 600/60s',
  { pattern: '^[1-9][0-9]{0,5}/[1-9][0-9]{0,3}s$' }
))

/** Parses the setting; `null`: no limit. */
export function readRateLimit (setting: string | undefined): RateLimit | null {
  if (setting === undefined) return null
  const [requests, seconds] = setting.split('/').map(part => Number.parseInt(part))
  // !: the pattern has both.
  return { requests: requests!, seconds: seconds! }
}
