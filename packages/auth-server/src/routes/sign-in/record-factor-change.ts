import type { FastifyReply } from 'fastify'
import { factorChanged, type FactorChange } from '../../mail/factor-notice.js'
import type { Notify } from '../../mail/notices.js'
import type { FactorId } from '../../stores/users/takeovers.js'

/** A change of a user's factors. `factor`: the added one. */
interface Change { readonly userId: string, readonly change: FactorChange, readonly factor?: FactorId }

/** Records a change of a user's factors, and emails the user. */
export async function recordFactorChange ({ request }: FastifyReply, notify: Notify, { userId, change, factor }: Change): Promise<void> {
  request.audit({ event: 'factor', outcome: change, userId })
  await notify(userId, factorChanged(change, factor))
}
