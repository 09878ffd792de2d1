import { findSimilar } from '@frontdesk/service-kit/nearest'
import { quote } from '@frontdesk/service-kit/showable'
import { reason, type Reason } from '../languages/reason.js'

/** Adds the known names that are similar to an unknown one to a reason. */
export function suggested (why: Reason, written: string, known: readonly string[]): Reason {
  const [first, second] = findSimilar(written, known).map(name => quote(name))
  if (first === undefined) return why
  return second === undefined
    ? reason('reason.did-you-mean', { why, name: first })
    : reason('reason.did-you-mean-either', { why, name: first, other: second })
}
