import type { AccessToken } from '@frontdesk/schemas/access-token'
import { decodeJwt } from 'jose'
import { randomUUID } from 'node:crypto'
import { hashOpaqueToken, randomOpaqueToken } from '../../../src/sign-in/opaque-token.js'
import { CHALLENGE, codeClient, exchangeForm, form, post } from '../code-flow.js'
import { CALLBACK, type Built } from '../helper.js'

/** Lanes that are in flight at once, of each kind a fourth. */
export const LANES = 16

const AUDIENCE = 'https://api.example'
const SCOPE = 'customer:read'
const HOUR = 3_600_000

/** A person with a session and an app that holds tokens, of their own for each round. */
export type Round = Awaited<ReturnType<typeof beginRound>>

/** What came of a lane. */
export type Outcome = { session: string } | { code: string } | { refresh: string, access: string } | null

/** Registers a person and an app, and lets the app have a remembered consent and codes. */
export async function beginRound ({ stores }: Built) {
  const [userId, clientId] = [randomUUID(), randomUUID()]
  await Promise.all([
    stores.users.add({ id: userId, username: userId, passwordHash: 'old', demo: false }),
    stores.clients.add(codeClient({ id: clientId }))
  ])
  const session = randomOpaqueToken()
  const user = (await stores.users.find(userId))!
  const expiresAt = new Date(Date.now() + HOUR)
  await stores.sessions.add({ idHash: hashOpaqueToken(session), user, authTime: new Date(), amr: 'pwd', expiresAt })
  const round = { userId, clientId, session, user }
  const nonce = randomOpaqueToken()
  await give(stores, round, { epoch: 0, isSilent: false, nonce })
  await stores.consents.add({
    userId,
    clientId,
    audience: AUDIENCE,
    scope: [SCOPE],
    allowedAt: new Date(),
    nonceHash: hashOpaqueToken(nonce)
  })
  return round
}

/**
 * Begins a lane: reads what it rests on. What is returned goes on after that, as a request does that was under way when
 * access ended.
 */
export async function beginLane (built: Built, round: Round, lane: number): Promise<() => Promise<Outcome>> {
  const { app, stores } = built
  const { userId, clientId } = round
  const kind = lane % 4
  if (kind === 0) {
    const user = (await stores.users.find(userId))!
    return async () => {
      const session = randomOpaqueToken()
      return (await stores.sessions.add({
        idHash: hashOpaqueToken(session),
        user,
        authTime: new Date(),
        amr: 'pwd',
        expiresAt: new Date(Date.now() + HOUR)
      }))
        ? { session }
        : null
    }
  }
  if (kind < 3) {
    const { epoch } = (await stores.sessions.find(hashOpaqueToken(round.session), new Date(), clientId))!
    return async () => {
      const nonce = randomOpaqueToken()
      const code = await give(stores, round, { epoch, isSilent: kind === 2, nonce })
      if (code !== null && kind === 1) {
        await stores.consents.add({
          userId,
          clientId,
          audience: AUDIENCE,
          scope: ['in:flight'],
          allowedAt: new Date(),
          nonceHash: hashOpaqueToken(nonce)
        })
      }
      return code === null ? null : { code }
    }
  }
  const { epoch } = (await stores.sessions.find(hashOpaqueToken(round.session), new Date(), clientId))!
  const code = (await give(stores, round, { epoch, isSilent: false, nonce: randomOpaqueToken() }))!
  const exchange = () => post(app, '/token', exchangeForm(code, { client_id: clientId }))
  if (lane % 8 === 3) {
    return async () => tokensOf(await exchange())
  }
  const first = (await exchange()).json().refresh_token as string
  return async () => tokensOf(await refresh(built, round, first))
}

/** Whether anything that a lane brought can still be used. */
export async function survives (built: Built, round: Round, outcome: Outcome): Promise<string | null> {
  if (outcome === null) return null
  const { app, stores } = built
  if ('session' in outcome) return await stores.sessions.find(hashOpaqueToken(outcome.session), new Date()) === null ? null : 'session'
  if ('code' in outcome) {
    return (await post(app, '/token', exchangeForm(outcome.code, { client_id: round.clientId }))).statusCode === 200 ? 'code' : null
  }
  if ((await refresh(built, round, outcome.refresh)).statusCode === 200) return 'refresh token'
  // as: it is one of ours.
  return await stores.revocations.covers(decodeJwt(outcome.access) as AccessToken) ? null : 'access token'
}

/** Gives a code as the authorization endpoint does. */
async function give (
  stores: Built['stores'],
  { userId, clientId }: Pick<Round, 'userId' | 'clientId'>,
  { nonce, ...rest }: { epoch: number, isSilent: boolean, nonce: string }
): Promise<string | null> {
  const [now, code, id] = [new Date(), randomOpaqueToken(), randomUUID()]
  const granted = { clientId, userId, scope: SCOPE, audience: AUDIENCE, createdAt: now, expiresAt: new Date(now.getTime() + 60_000) }
  await stores.codes.add({
    ...granted,
    hash: hashOpaqueToken(code),
    grantId: id,
    redirectUri: CALLBACK,
    callbackNamed: true,
    codeChallenge: CHALLENGE,
    authTime: now,
    amr: 'pwd'
  })
  return (await stores.grants.add({ ...granted, ...rest, id, nonceHash: hashOpaqueToken(nonce), responseType: 'code' })) === null
    ? null
    : code
}

async function refresh ({ app }: Built, { clientId }: Round, token: string) {
  return await post(app, '/token', form({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token }))
}

function tokensOf (answer: Awaited<ReturnType<typeof post>>): Outcome {
  if (answer.statusCode !== 200) return null
  const { refresh_token: refresh, access_token: access } = answer.json()
  return { refresh, access }
}
