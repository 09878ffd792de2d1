import { randomUUID } from 'node:crypto'
import { whyNotName } from '../input/text.js'
import { errors } from '../oauth/errors.js'
import { textAttributes, userFields, type TextAttribute } from '../oauth/user-fields.js'
import type { UpstreamIdentities } from '../stores/users/upstream-identities.js'
import { foldEmail } from '../stores/users/user-columns.js'
import { unusableHash } from './password.js'
import type { UpstreamUser } from './upstream-provider.js'

/** The user with an identity. `isNew`: they were just added. */
interface Account { readonly userId: string, readonly isNew: boolean }

/**
 * Makes the function that finds the user with an identity; or adds one, for a verified email address of one of the domains. An account with
 * the same address is never used: whoever gets the address at the provider would get the account.
 * @throws OAuthError `upstreamUnknown`, `upstreamKnownAddress`
 */
export function createFindAccount (identities: Pick<UpstreamIdentities, 'holder' | 'addUser'>, domains: readonly string[]) {
  async function find ({ idHash }: UpstreamUser): Promise<string | null> {
    const holder = await identities.holder(idHash)
    if (holder?.userId === null) throw errors.upstreamUnknown('the user with this identity was erased')
    return holder?.userId ?? null
  }

  return async function findAccount (user: UpstreamUser): Promise<Account> {
    const known = await find(user)
    if (known !== null) return { userId: known, isNew: false }
    if (domains.length === 0) throw errors.upstreamUnknown('no user has this identity')
    const { email, ...attributes } = readAttributes(await user.claims(), domains)
    const id = randomUUID()
    const added = { ...attributes, id, email, emailVerified: true, username: email, passwordHash: unusableHash(), demo: false }
    const outcome = await identities.addUser(added, user)
    if (outcome === 'added') return { userId: id, isNew: true }
    if (outcome === 'known address') throw errors.upstreamKnownAddress('an account has the email address')
    // A concurrent sign-in has added it.
    const userId = await find(user)
    if (userId === null) throw errors.upstreamUnknown('the identity was disconnected in the meantime')
    return { userId, isNew: false }
  }
}

/** The attributes in claims that are valid here. @throws OAuthError `upstreamUnknown` without a verified email address of the domains */
function readAttributes (claims: Readonly<Record<string, unknown>>, domains: readonly string[]) {
  const attributes: Partial<Record<TextAttribute, string>> = Object.fromEntries(textAttributes.flatMap(name => {
    const { claim, read, whyNot } = userFields[name]
    const value = claims[claim]
    return typeof value === 'string' && whyNot(read(value)) === null ? [[name, read(value)]] : []
  }))
  const { email = '' } = attributes
  const domain = foldEmail(email).replace(/^.*@/s, '')
  const isVouchedFor = claims.email_verified === true && domains.includes(domain)
  if (!isVouchedFor || whyNotName('user_name', email) !== null) throw errors.upstreamUnknown('no verified email address of the domains')
  return { ...attributes, email }
}
