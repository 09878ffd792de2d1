import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, type JsonWebKeyInput } from 'node:crypto'
import type { Config } from '../config.js'
import { deriveKey, unseal } from '../keys/seal.js'
import type { KeyRing } from '../keys/key-ring.js'
import { PASSWORD, type Authentication } from '../oauth/authentication.js'
import { clientDefaults } from '../oauth/client.js'
import { isImplicitDeprecated } from '../oauth/implicit.js'
import { parseScope } from '../oauth/scope.js'
import { subjectOf } from '../oauth/subject.js'
import { findClientFaults } from '../registration/client-faults.js'
import { whyNotClientId } from '../registration/client-rules.js'
import { hasSecret } from '../registration/credentials.js'
import { USUAL_GRANTS } from '../oauth/grant-types.js'
import { hashOpaqueToken, randomOpaqueToken } from '../sign-in/opaque-token.js'
import { hashPassword } from '../sign-in/password.js'
import type { CachedClients } from '../stores/clients/client-cache.js'
import type { NewClient } from '../stores/clients/client-row.js'
import type { NewUser } from '../stores/users/user-insertion.js'
import type { Stores } from '../stores/stores.js'
import { mintAccessToken } from '../tokens/access-token.js'
import { makeBadTokens, type BadToken, type KeyPair } from './bad-tokens.js'

/** A client to register, with any fields. Default: a public client for the code grant, without callbacks. */
export type NewApp = Pick<NewClient, 'id'> & Partial<NewClient>

/** A user to add, with any attributes. */
export type NewPerson = Pick<NewUser, 'username'> & Partial<Omit<NewUser, 'id' | 'passwordHash' | 'demo'>> & {
  /** Default: `correct horse battery staple`. */
  readonly password?: string
}

/** The access token to sign. */
export interface TokenRequest {
  /** `client_id` of a registered client. */
  readonly client: string
  /** Space-separated scopes. Default: the client's default scope. */
  readonly scope?: string
  /** Id of a user. Default: the client acts on its own behalf. */
  readonly sub?: string
  /** When and how the user signed in. Default: now, with a password. */
  readonly authentication?: Partial<Authentication>
  /** Default: the server's `audience`. */
  readonly audience?: string
  /** Seconds. Default: the lifetime of the client or the server. */
  readonly expiresIn?: number
  /** Thumbprint of the DPoP key that it is bound to. Default: a bearer token. */
  readonly jkt?: string
}

/** Makes the functions that add clients and users, and sign tokens. */
export function createFixtures ({ config, stores, keys }: {
  config: Config
  stores: Stores & { clients: CachedClients }
  keys: KeyRing
}) {
  const { clients, clock, signingKeys, users } = stores

  async function tokenFor (request: TokenRequest): Promise<string> {
    const { client: id, sub, audience = config.defaultAudience, expiresIn, jkt } = request
    const client = await clients.find(id)
    if (client === null) throw new Error(`No app has the client_id ${JSON.stringify(id)}. Register it with addClient.`)
    const now = clock.now()
    return mintAccessToken(keys, {
      issuer: config.issuer,
      subject: sub === undefined ? id : subjectOf(client, sub),
      audience,
      clientId: id,
      scope: parseScope(request.scope ?? client.defaultScope),
      authentication: sub === undefined ? undefined : { authTime: now, amr: PASSWORD, ...request.authentication },
      grantType: sub === undefined ? 'client_credentials' : 'authorization_code',
      jti: randomUUID(),
      jkt
    }, now, expiresIn ?? client.accessTokenTtl ?? config.accessTokenTtl)
  }

  /** The signing key, with its private half. */
  async function signingKey (): Promise<KeyPair> {
    const signing = keys.describe().find(({ state }) => state === 'signing')
    const stored = (await signingKeys.list()).find(({ kid }) => kid === signing?.kid)
    if (stored === undefined) throw new Error('No key signs.')
    const jwk = await unseal(stored.privateJwe, deriveKey(config.secretKey, 'signing keys'))
    // as: both types describe the JWK that makeKey made.
    return pairOf(createPrivateKey({ key: jwk as JsonWebKeyInput['key'], format: 'jwk' }), JSON.parse(stored.publicJwk))
  }

  return {
    addClient: (app: NewApp) => addClient({ config, stores }, app),

    async addPerson ({ username, password = 'correct horse battery staple', ...profile }: NewPerson) {
      const id = randomUUID()
      const added = await users.add({ ...profile, id, username, passwordHash: await hashPassword(password), demo: false })
      if (!added) throw new Error(`The user name ${JSON.stringify(username)} is taken.`)
      return { id, username, password }
    },

    tokenFor,

    async badTokens (request: TokenRequest): Promise<BadToken[]> {
      const key = await signingKey()
      return makeBadTokens(await tokenFor(request), { key, stranger: strangerTo(key) }, clock.now())
    }
  }
}

/** Registers a client, with a secret if it authenticates with one. */
async function addClient (
  { config, stores: { clients, clientSecrets, clock } }: { config: Pick<Config, 'callbackSchemes'>, stores: Stores }, { id, ...given }: NewApp
): Promise<{ id: string, secret: string | undefined }> {
  const client = { ...clientDefaults, grantTypes: USUAL_GRANTS, id, name: id, ...given }
  const ofFields = findClientFaults(client, config.callbackSchemes).map(({ sentence }) => sentence)
  const faults = [whyNotClientId(id), ...ofFields].filter(it => it !== null)
  if (faults.length > 0) throw new Error(faults.join(' '))
  const implicitDeprecatedAt = isImplicitDeprecated(client) ? clock.now() : null
  if (!await clients.add({ implicitDeprecatedAt, ...client })) throw new Error(`The client_id ${JSON.stringify(id)} is taken.`)
  const secret = hasSecret(client) ? randomOpaqueToken() : undefined
  if (secret !== undefined) await clientSecrets.add({ clientId: id, hash: hashOpaqueToken(secret), createdAt: clock.now() })
  return { id, secret }
}

/** Another key of the same type. */
function strangerTo ({ publicKey: { asymmetricKeyType } }: KeyPair): KeyPair {
  const { privateKey } = asymmetricKeyType === 'rsa'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : asymmetricKeyType === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519')
  return pairOf(privateKey)
}

function pairOf (privateKey: KeyPair['privateKey'], publicJwk?: object): KeyPair {
  const publicKey = createPublicKey(privateKey)
  return { privateKey, publicKey, publicJwk: publicJwk ?? publicKey.export({ format: 'jwk' }) }
}
