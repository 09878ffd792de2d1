import { quote } from '@frontdesk/service-kit/showable'
import type { Config } from '../config.js'
import { after, FACTOR_LINK_TTL } from '../lifetimes.js'
import { createFactorLinks } from '../sign-in/factor-link.js'
import type { Stores } from '../stores/stores.js'
import type { UserKey } from '../stores/users/user-columns.js'
import type { Actor } from './actor.js'
import { record, type Recording } from './audit.js'
import { conflict, forbidden } from './refusal.js'
import { administratorOf, assertMayChangeUser } from './rights.js'
import { unknownUser } from './unknown.js'
import { summaryOf, type UserSummary } from './user-details.js'
import { reason } from '../languages/reason.js'

/** A link that is shown once, and when it expires. */
export interface FactorLink { readonly link: string, readonly linkEndsAt: Date }

/**
 * Makes a link with which a user sets up a first factor, once, with the password. Until it is used, nothing changes. Administrators cannot
 * make one for themselves, except at a shell: otherwise, a session and the password would suffice to set up a factor.
 * @throws Refusal
 */
export async function makeFactorLink (
  stores: Pick<Stores, 'users' | 'roles' | 'spentIds'> & Recording, key: UserKey, config: Config, by: Actor
): Promise<UserSummary & FactorLink> {
  const user = await stores.users.find(key)
  if (user === null) throw await unknownUser(stores, key)
  await assertMayChangeUser(stores, by, user.id)
  if (by.kind === 'user' && by.userId === user.id) {
    throw forbidden('id', reason('reason.user-own-link'))
  }
  const name = { username: quote(user.username) }
  if (user.disabledAt !== null) throw conflict('username', reason('reason.user-disabled', name))
  if (user.passwordSetAt === null) throw conflict('password', reason('reason.user-no-password', name))
  if (user.factors !== null) throw conflict('factors', reason('reason.user-has-factor', name))
  const now = stores.clock.now()
  const { link, idHash } = await createFactorLinks(stores, config).issue(user, administratorOf(by), now)
  await record(stores, 'user factor-link', { userId: user.id, details: { link: idHash } }, by)
  return { ...summaryOf(user), link: `${config.issuer}/set-up-factor?link=${link}`, linkEndsAt: after(now, FACTOR_LINK_TTL) }
}
