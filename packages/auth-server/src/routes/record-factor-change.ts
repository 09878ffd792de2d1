import type { FastifyReply } from 'fastify'
import { writeFactorMail, type FactorChange } from '../mail/factor-mail.js'
import type { Notify } from '../mail/notices.js'

/** Records a change of a user's factors, and emails the user. */
export async function recordFactorChange ({ request }: FastifyReply, notify: Notify, userId: string, change: FactorChange): Promise<void> {
  request.audit({ event: 'factor', outcome: change, userId })
  await notify(userId, facts => writeFactorMail(change, facts))
}
