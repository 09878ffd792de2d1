import type { Client } from '../oauth/client.js'
import { invalid } from './refusal.js'
import { reason, type Reason } from '../languages/reason.js'

/** A client's policy for the implicit grant. */
type ImplicitPolicy = Pick<Client, 'implicit' | 'implicitUntil'>

/** Parses `allowed`, `warn`, `until <date>` or `off`; a date is its first moment in UTC. @throws Refusal */
export function parsePolicy (text: string): ImplicitPolicy {
  const [, word, date] = /^(allowed|warn|off|until)(?: +(\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?))?$/.exec(text) ?? []
  const implicitUntil = date === undefined ? null : new Date(date)
  if (word === undefined || (word === 'until') !== (date !== undefined) || !isDay(date?.slice(0, 10)) ||
    Number.isNaN(implicitUntil?.getTime())) {
    throw invalid('implicit', reason('reason.implicit-policy'))
  }
  // as: the pattern has no other words.
  return { implicit: word as Client['implicit'], implicitUntil }
}

/** Formats a policy in the syntax of {@link parsePolicy}. */
export function writePolicy ({ implicit, implicitUntil }: ImplicitPolicy): string {
  return implicitUntil === null ? implicit : `until ${implicitUntil.toISOString().replace('T00:00:00.000Z', '')}`
}

/** Why a policy cannot be set: its end date has passed; else `null`. @param now the database's time */
export function whyNotFuture ({ implicitUntil }: ImplicitPolicy, now: Date): Reason | null {
  if (implicitUntil === null || implicitUntil > now) return null
  return reason('reason.implicit-past', { date: implicitUntil.toISOString().slice(0, 10) })
}

/** JavaScript parses 31 February as 3 March. */
function isDay (day = '1970-01-01'): boolean {
  return !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)
}
