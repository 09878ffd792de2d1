import type { Answer } from './ask.js'
import { findings, type Finding } from './finding.js'

const SECOND = 1_000

/** From this difference on, in seconds, a clock is worth a look. */
const NOTICEABLE = 10

/**
 * How far another server's clock is ahead of ours, in whole seconds, by its `Date` header (RFC 9110 §6.6.1), to which
 * a cache on the way adds `Age`. `undefined` if it sends none.
 */
export function aheadBy ({ headers, at }: Pick<Answer, 'headers' | 'at'>): number | undefined {
  const date = Date.parse(headers.get('date') ?? '')
  const age = Number(headers.get('age') ?? 0)
  // The header has whole seconds: on the average it is half of one old.
  return Number.isNaN(date) ? undefined : Math.round((date - at) / SECOND + 0.5 + (Number.isFinite(age) ? age : 0))
}

/**
 * Whether two clocks fit.
 * @param check name of the check: a report may compare several clocks
 * @param ahead seconds that the other clock is ahead of ours
 * @param leeway seconds by which they may differ
 */
export function compareClocks (check: 'database-clock' | 'issuer-clock', other: string, ahead: number | undefined, leeway: number): Finding {
  const { ok, warning, wrong, unchecked } = findings(check)
  if (ahead === undefined) return unchecked(`The clock of ${other} cannot be compared: it sends no Date.`)
  const difference = `The clock of ${other} is ${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} the one of this machine`
  const remedy = 'Let both machines take their time from the network (NTP): "timedatectl" says whether one does.'
  if (Math.abs(ahead) > leeway) return wrong(`${difference}, and ${leeway} s are allowed: new access tokens are refused, or ended ones accepted.`, remedy)
  if (Math.abs(ahead) >= NOTICEABLE) return warning(`${difference}; more than ${leeway} s would be too much.`, remedy)
  return ok(`The clock of ${other} agrees with the one of this machine.`)
}
