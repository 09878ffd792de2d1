import { readdirSync } from 'node:fs'
import t from 'tap'
import { clientAuth } from '../src/client-auth/index.js'
import { createFactors } from '../src/factors/index.js'
import { relyingParty } from './support/factors.js'
import { grantTypes } from '../src/grants/index.js'
import { responseModes } from '../src/response-modes/index.js'
import { build } from './support/helper.js'

export const onBothDatabases = true

/** Files of these folders that are not members of the lists. */
const OTHERS = [
  'index',
  'grant-type',
  'exchange',
  'inspect',
  'client-auth',
  'authenticate',
  'basic',
  'issue-time',
  'refresh-token-form',
  'new-tokens',
  'response-mode',
  'response-type',
  'record-grant',
  'implicit',
  'factor',
  'enrollment',
  'qr-code',
  'relying-party',
  'signed-responses',
  'parts',
  'passkey-enrollment',
  'set-up-rule'
]

const membersOf = (folder: string) => readdirSync(new URL(`../src/${folder}/`, import.meta.url))
  .filter(file => file.endsWith('.js')).map(file => file.slice(0, -'.js'.length)).filter(name => !OTHERS.includes(name)).sort()
const namesOf = (list: ReadonlyArray<{ name: string }>) =>
  list.map(({ name }) => name.slice(name.lastIndexOf(':') + 1).replaceAll('_', '-')).sort()

t.test(
  'every grant type, client authentication method, response mode and factor is a file and a line; in the metadata, as is every response type',
  async t => {
    t.same(namesOf(grantTypes), membersOf('grants'))
    t.same(namesOf(clientAuth), membersOf('client-auth'))
    t.same(namesOf(responseModes), membersOf('response-modes'))
    const { app, stores } = await build(t)
    t.same(createFactors(stores.factors, Buffer.alloc(32), relyingParty).list.map(({ kind }) => kind).sort(), membersOf('factors'))
    const metadata = (await app.inject('/.well-known/oauth-authorization-server')).json()
    // Those with `implicit` are lines of the list; every other one is a file, too.
    t.same(membersOf('response-types'), ['code'])
    t.same(metadata.response_types_supported.toSorted(), ['code', 'id_token', 'id_token token', 'token'])
    t.same(metadata.response_modes_supported.toSorted(), responseModes.map(({ name }) => name).sort())
    t.same(
      metadata.token_endpoint_auth_methods_supported,
      clientAuth.map(({ name }) => name)
    )
    for (const { name } of grantTypes) t.ok(metadata.grant_types_supported.includes(name), name)
  }
)
