import { CLOCK_LEEWAY_S } from '../clock-leeway.js'
import type { Answer } from '../outgoing/fetch-json.js'
import { findings, type Finding } from './finding.js'

/** Minimum difference to warn about, in seconds. */
const WARNING_S = 10

/**
 * How many whole seconds another server's clock is ahead of ours, by its `Date` header (RFC 9110 §6.6.1) and a cache's `Age`.
 * `undefined` without `Date`.
 */
export function aheadBy ({ headers, at }: Pick<Answer, 'headers' | 'at'>): number | undefined {
  const date = Date.parse(headers.get('date') ?? '')
  const age = Number(headers.get('age') ?? 0)
  // The header has whole seconds: on average, it is half a second old.
  return Number.isNaN(date) ? undefined : Math.round((date - at) / 1_000 + 0.5 + (Number.isFinite(age) ? age : 0))
}

/**
 * Compares two clocks.
 * @param check name of the check
 * @param ahead seconds that the other clock is ahead of ours
 */
export function compareClocks (check: 'database-clock' | 'issuer-clock', other: string, ahead: number | undefined): Finding {
  const { ok, warning, wrong, unchecked } = findings(check)
  if (ahead === undefined) return unchecked(`The clock of ${other} cannot be compared: it sends no Date.`)
  const state = stateOfClock(ahead)
  const difference = `The clock of ${other} is ${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} this machine's`
  const remedy = 'Synchronize both machines with NTP; "timedatectl" shows whether a machine is.'
  if (state === 'wrong') {
    return wrong(`${difference}, and ${CLOCK_LEEWAY_S} s are allowed: new access tokens are refused, or expired ones accepted.`, remedy)
  }
  if (state === 'warning') return warning(`${difference}; more than ${CLOCK_LEEWAY_S} s would be too much.`, remedy)
  return ok(`The clock of ${other} agrees with this machine's.`)
}

/** Judges a difference of clocks, in seconds. */
export function stateOfClock (ahead: number): 'ok' | 'warning' | 'wrong' {
  return Math.abs(ahead) > CLOCK_LEEWAY_S ? 'wrong' : Math.abs(ahead) >= WARNING_S ? 'warning' : 'ok'
}
