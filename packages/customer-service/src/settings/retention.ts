import { integer } from '@frontdesk/service-kit/settings'

/** How long changes of customers are kept, in days; 0: not at all. */
export interface Retention {
  /** In the history, with the values before and after. */
  readonly historyDays: number
  /** In the change feed, without values. */
  readonly feedDays: number
}

/** Milliseconds of a day. */
export const DAY_MS = 24 * 60 * 60_000

export const retentionSettings = {
  HISTORY_DAYS: integer('How long changes to customers are kept with the values before and after, in days. 0 keeps none.',
    { unit: 'days', minimum: 0, maximum: 3_650, default: 90 }),
  FEED_DAYS: integer('Minimum time that changes stay in the change feed, in days. 0 turns it off.',
    { unit: 'days', minimum: 0, maximum: 3_650, default: 7 })
}
