import { faultOf, type Fault } from '../input/fault.js'
import type { Reason } from '../languages/reason.js'

/** An action that was refused: nothing was changed. `message` has a line for each fault. */
export class Refusal extends Error {
  readonly code: 'invalid' | 'unknown' | 'taken' | 'conflict' | 'changed' | 'forbidden'
  readonly faults: readonly Fault[]

  constructor (code: Refusal['code'], faults: readonly Fault[], options?: ErrorOptions) {
    super(faults.map(({ sentence }) => sentence).join('\n'), options)
    this.code = code
    this.faults = faults
  }
}

const define = (code: Refusal['code']) => (field: string, why: Reason | string, options?: ErrorOptions) =>
  new Refusal(code, [faultOf(field, why)], options)

/** The input breaks a rule. */
export const invalid = define('invalid')
/** The input names something that does not exist. */
export const unknown = define('unknown')
/** The name is taken. */
export const taken = define('taken')
/** The input conflicts with the current state. */
export const conflict = define('conflict')

/** The input was changed since it was read. */
export const changed = define('changed')
/** The actor does not have permission. */
export const forbidden = define('forbidden')

/** @throws Refusal if there are reasons other than `null` @param reasons by field */
export function assertValid (reasons: Readonly<Record<string, ReadonlyArray<Reason | string | null>>>): void {
  const faults = Object.entries(reasons)
    .flatMap(([field, whys]) => whys.flatMap(why => why === null ? [] : [faultOf(field, why)]))
  if (faults.length > 0) throw new Refusal('invalid', faults)
}
