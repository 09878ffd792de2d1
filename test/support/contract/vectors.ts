import type { makeBadTokens as makeBad } from '../../../packages/auth-server/src/testing/bad-tokens.js'
import type { mintAccessToken } from '../../../packages/auth-server/src/tokens/access-token.js'
import type { Acr } from '../../../packages/schemas/src/acr.js'
import { load } from '../load.js'
import { ringOf, testKey } from './signer.js'

/** A token and what a resource server has to make of it: at all, and where it requires a step-up. */
export interface Vector { name: string, token: string, accepted: boolean, steppedUp?: 'accepted' | 'sign-in-insufficient' | 'user-missing' }

/** Tokens, and what they are checked against. */
export interface Vectors {
  about: string
  now: string
  issuer: string
  audience: string
  jwks: object
  stepUp: { acr: Acr, maxAge: number }
  vectors: Vector[]
}

const NOW = new Date('2030-01-01T00:00:00Z')
const ISSUER = 'https://id.example'
const AUDIENCE = 'https://customers.example'

/** Makes the good ones with auth-server's own signer, and the bad ones from them. */
export async function makeVectors (): Promise<Vectors> {
  const key = testKey('signer')
  const ring = await ringOf(key, NOW)
  const { mintAccessToken: mint } = await load<{ mintAccessToken: typeof mintAccessToken }>('auth-server', 'tokens/access-token.js')
  const { makeBadTokens } = await load<{ makeBadTokens: typeof makeBad }>('auth-server', 'testing/bad-tokens.js')
  const content = {
    issuer: ISSUER,
    subject: '6f1c2c0e-0000-4000-8000-000000000001',
    audience: AUDIENCE,
    clientId: 'desk',
    scope: ['customer:read', 'customer:write'],
    authentication: { authTime: new Date(NOW.getTime() - 60_000), amr: 'pwd' },
    grantType: 'authorization_code',
    jti: '6f1c2c0e-0000-4000-8000-000000000002',
    grantId: '6f1c2c0e-0000-4000-8000-000000000003'
  }
  const good = {
    'as auth-server makes it': await mint(ring, content, NOW, 600),
    'without a scope': await mint(ring, { ...content, scope: [] }, NOW, 600),
    'made by a server whose clock is 30 s ahead': await mint(ring, content, new Date(NOW.getTime() + 30_000), 600),
    'ended 30 s ago, within the leeway': await mint(ring, content, new Date(NOW.getTime() - 630_000), 600)
  }

  const { grantId, ...withoutGrant } = content
  const authentication = (amr: string, secondsAgo = 60) => ({ authTime: new Date(NOW.getTime() - secondsAgo * 1_000), amr })
  const steppedUp = {
    'signed in with a password': [content, 'sign-in-insufficient'],
    'signed in with a second factor': [{ ...content, authentication: authentication('pwd otp mfa') }, 'accepted'],
    'signed in with a passkey after the password': [{ ...content, authentication: authentication('pwd pop mfa') }, 'accepted'],
    'signed in with a passkey': [{ ...content, authentication: authentication('pop user mfa') }, 'accepted'],
    'signed in with a second factor an hour ago': [{ ...content, authentication: authentication('pwd otp mfa', 3_600) }, 'sign-in-insufficient'],
    'without a user': [
      { ...withoutGrant, subject: content.clientId, authentication: undefined, grantType: 'client_credentials' }, 'user-missing'
    ]
  } as const
  const bad = makeBadTokens(good['as auth-server makes it'], { key, stranger: testKey('stranger') }, NOW, 61)
  return {
    about:
      'Access tokens that a resource server has to accept or refuse at the time `now`. The key is made from a text that everybody knows.',
    now: NOW.toISOString(),
    issuer: ISSUER,
    audience: AUDIENCE,
    jwks: ring.jwks(),
    stepUp: { acr: 'urn:frontdesk:acr:mfa', maxAge: 300 },
    vectors: [
      ...Object.entries(good).map(([name, token]) => ({ name, token, accepted: true })),
      ...Object.entries(steppedUp).map(([name, [content, steppedUp]]) =>
        ({ name, token: mint(ring, content, NOW, 600), accepted: true, steppedUp })),
      ...bad.map(({ name, token }) => ({ name, token, accepted: false }))
    ]
  }
}
