import { refuseFor } from '../refusal.js'
import { quote } from '../text.js'
import { parsePolicy, whyNotFuture } from '../client/implicit-policy.js'
import type { Plan } from './plan.js'

/**
 * An app that is registered must not lose the implicit grant by a date that has passed: the year may be mistyped. Apps
 * that are added keep the dates of the file, so that an old export can be restored.
 * @throws Refusal that names each
 */
export function refuseEnded ({ changed }: Plan, now = new Date()): void {
  refuseFor(...changed.map(({ clientId, fields: { implicit } }) => {
    if (implicit === undefined) return undefined
    // as: the field holds such a text on both sides.
    const reason = whyNotFuture(parsePolicy(implicit.to as string), now)
    return reason && `${quote(clientId)}: implicit: ${reason}`
  }))
}
