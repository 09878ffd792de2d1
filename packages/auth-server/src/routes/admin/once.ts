import { IDEMPOTENCY_KEY_RULE, readIdempotencyKey } from '@frontdesk/service-kit/idempotency-key'
import { pathOf } from '@frontdesk/service-kit/path'
import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { nameOf } from '../../admin/actor.js'
import { invalid } from '../../admin/refusal.js'
import { DAY_MS } from '../../lifetimes.js'
import { deriveKeys, seal, unseal, type Secrets } from '../../keys/seal.js'
import { DuplicateRequestError } from '../../stores/operation/admin-requests.js'
import type { Stores } from '../../stores/stores.js'
import { AdminError } from './errors.js'

/**
 * Creates something once for an `Idempotency-Key`, for a day: a retry gets the first response, with `Idempotent-Replayed`. The claim
 * of the key is part of the change's transaction.
 * @throws AdminError `idempotencyKeyReused` for another path or body, `idempotencyKeyInUse` if there is no response yet, or it was lost
 */
export async function once (
  { adminRequests, ...stores }: Stores, reply: FastifyReply, secrets: Secrets, create: (stores: Stores) => Promise<unknown>
): Promise<unknown> {
  const { request, request: { caller: { by }, routeOptions: { url }, body } } = reply
  const key = readIdempotencyKey(request.raw)
  if (key === undefined) throw invalid('Idempotency-Key', IDEMPOTENCY_KEY_RULE)
  if (key === null) return await create({ adminRequests, ...stores })
  const [id, fingerprint] = [digest([by.kind, nameOf(by), url, key]), digest([pathOf(request.url), body])]
  const sealKeys = deriveKeys(secrets, 'admin answers')

  async function replay () {
    const before = await adminRequests.find(id)
    if (before === null) return undefined
    if (before.fingerprint !== fingerprint) throw new AdminError('idempotencyKeyReused')
    const answers = before.answer === null ? [] : await Promise.allSettled(sealKeys.map(key => unseal(before.answer!, key)))
    const answer = answers.find(it => it.status === 'fulfilled')
    if (answer === undefined) throw new AdminError('idempotencyKeyInUse')
    reply.header('idempotent-replayed', 'true')
    return answer.value
  }

  const expiresAt = new Date(stores.clock.now().getTime() + DAY_MS)
  const recorded: Stores['recorded'] = (rows, by) => stores.recorded(rows, by, { id, fingerprint, expiresAt })
  try {
    return await replay() ?? await create({ adminRequests, ...stores, recorded }).then(async value => {
      await adminRequests.answer(id, await seal(Object(value), sealKeys[0]))
      return value
    })
  } catch (error) {
    if (error instanceof DuplicateRequestError) return await replay()
    throw error
  }
}

function digest (value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}
