import type { Reason } from '../languages/reason.js'

/** An invalid input. */
export interface Fault<Field extends string = string> {
  /** Name of the input. */
  readonly field: Field
  /** What is wrong, as text. */
  readonly sentence: string
  /** The same for pages, if it is translated. */
  readonly reason?: Reason
}

/** Makes the fault of an input. */
export function faultOf<Field extends string> (field: Field, why: Reason | string): Fault<Field> {
  return typeof why === 'string' ? { field, sentence: why } : { field, sentence: why.sentence, reason: why }
}
