import type { SigningAlg } from '@frontdesk/schemas/jwks'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { languageTags } from '../../src/languages/languages.js'
import { clientFields } from '../../src/oauth/client-fields.js'
import { clientDefaults, ownFields, type Client } from '../../src/oauth/client.js'

/** What the table makes of a client. */
interface Pinned {
  id: string
  name: string
  logoName: string | null
  callbacks: readonly string[]
  postLogoutRedirectUris: readonly string[]
  resources: readonly string[]
  defaultScope: string
  allowedScope: string | null
  signInRoles: readonly string[]
  requiredAcr: 'urn:frontdesk:acr:mfa' | 'phr' | null
  accessTokenTtl: number | null
  implicit: 'allowed' | 'warn' | 'until' | 'off'
  implicitDeprecatedAt: Date | null
  implicitUntil: Date | null
  grantTypes: readonly string[]
  tokenEndpointAuthMethod: string
  pkce: 'required' | 'optional'
  requirePushedAuthorizationRequests: boolean
  dpopBoundAccessTokens: boolean
  profile: 'fapi2' | null
  withoutPkceAt: Date | null
  jwks: string | null
  jwksUri: string | null
  idTokenSignedResponseAlg: SigningAlg
  idTokenClaims: boolean
  userinfoSignedResponseAlg: SigningAlg | null
  sectorIdentifier: string | null
  pairwiseSalt: string | null
  links: string | null
  backchannelLogoutUri: string | null
  backchannelLogoutSessionRequired: boolean
  native: boolean
  own: boolean
  demo: boolean
  registeredBy: 'operator' | 'token' | 'open' | 'document'
  documentFetchedAt: Date | null
  documentFreshUntil: Date | null
  usedAt: Date | null
  disabledAt: Date | null
  createdAt: Date
}

type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false
type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

/** Does not compile if the type of a field changes, or a field comes or goes. */
const isPinned: Same<Mutable<Client>, Mutable<Pinned>> = true

t.test('a client has exactly the pinned fields, and each but its name has a default', async t => {
  t.ok(isPinned)
  t.same(ownFields.map(([name]) => name).filter(name => !(name in clientDefaults)), ['name'])
})

t.test('no two fields have one member of the metadata, or one option', async t => {
  const fields = Object.values(clientFields)
  for (const named of [
    fields.flatMap(it => 'wire' in it ? [typeof it.wire === 'string' ? it.wire : it.wire.name] : []),
    fields.flatMap(it => 'flag' in it ? [it.flag.split(' ')[0]] : [])
  ]) t.equal(new Set(named).size, named.length, named.join(', '))
})

t.test('a field without a rule stands in the table, with its name in each language: everything else derives from it', async t => {
  const src = new URL('../../../src/', import.meta.url)
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts') && !file.includes('generated'))
  t.ok(files.length > 100)
  const naming = files.filter(file => readFileSync(new URL(file, src), 'utf8').includes('backchannelLogoutSessionRequired'))
  const names = languageTags.map(tag => join('languages', tag, 'console', 'fields.ts'))
  t.strictSame(naming.sort(), [...names, join('oauth', 'client-fields.ts')].sort())
})
