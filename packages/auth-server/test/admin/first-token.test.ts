import { execFileSync } from 'node:child_process'
import t from 'tap'
import { firstToken } from '../../src/admin/first-token.js'
import { hono } from '../../src/admin/libraries/hono.js'
import { clientAuth } from '../../src/client-auth/index.js'
import { clientDefaults, type Client } from '../../src/oauth/client.js'
import { DEVICE_CODE } from '../../src/oauth/grant-types.js'
import { whyNotCallback } from '../../src/oauth/redirect-uri.js'
import { whyNotDocumentUrl } from '../../src/registration/document-url.js'

const issuer = 'https://id.example'
const CALLBACK = "https://shop.example/a?b=$(echo$IFS!ran);echo'&echo"
const IDS = ['https://shop.example/$(echo$IFS!ran)', 'https://shop.example/a;echo', "https://shop.example/it's", 'https://shop.example/a?b=1&c=2+3%20']

/** A client that could have registered itself, with the worst values that it may have. */
function hostile (change: Partial<Client>): Client & { issuer: string } {
  const grantTypes = ['authorization_code']
  // as: the commands depend on nothing else.
  return { ...clientDefaults, id: 'shop', name: 'Shop', callbacks: [CALLBACK], grantTypes, defaultScope: '', ...change, issuer } as Client & { issuer: string }
}

/** The arguments that a shell gives to `curl`. */
function argumentsOf (command: string): string[] {
  const script = `curl () { printf '%s\\n' "$@"; }\n${command}`
  return execFileSync('bash', ['--norc', '-c', script], { env: { SECRET: 's', CODE: 'c', ASSERTION: 'a' }, encoding: 'utf8' }).trimEnd().split('\n')
}

t.test('a shell takes every value of a client in a command as it is, and runs none', async t => {
  t.equal(whyNotCallback(CALLBACK, []), null)
  for (const id of IDS) {
    t.equal(whyNotDocumentUrl(id, false), null, id)
    for (const { name: tokenEndpointAuthMethod } of clientAuth) {
      for (const grantTypes of [['authorization_code'], [DEVICE_CODE]] as const) {
        const client = hostile({ id, tokenEndpointAuthMethod, grantTypes: [...grantTypes], requirePushedAuthorizationRequests: true })
        const { first = '', tokens = '', address = '' } = firstToken(client, client) ?? {}
        for (const command of [first, tokens]) {
          const given = argumentsOf(command)
          const named = given.includes(`client_id=${id}`) || given.includes(`${encodeURIComponent(id)}:s`) || given.includes('client_assertion=a')
          t.ok(named, command)
          if (grantTypes[0] !== DEVICE_CODE) t.ok(given.includes(`redirect_uri=${CALLBACK}`))
        }
        if (address !== '') t.equal(new URL(address).searchParams.get('client_id'), id)
      }
    }
  }
})

t.test('a client with resources requests a token for the first one, with every grant', t => {
  const resources = ['https://mcp.example/a b', 'https://other.example']
  for (const grantTypes of [['authorization_code'], [DEVICE_CODE], ['client_credentials']]) {
    for (const requirePushedAuthorizationRequests of [false, true]) {
      const client = hostile({ grantTypes, resources, requirePushedAuthorizationRequests })
      const { first, tokens, address } = firstToken(client, client)!
      const request = grantTypes.includes('client_credentials') ? tokens : first
      const given = request === undefined ? new URL(address!).searchParams.getAll('resource').map(it => `resource=${it}`) : argumentsOf(request)
      t.same(given.filter(it => it.startsWith('resource=')), [`resource=${resources[0]}`], grantTypes.join(' '))
    }
  }
  t.end()
})

t.test('a shell takes the environment of @hono/oidc-auth as it is', async t => {
  const settings = hono.settings(hostile({ id: IDS[0]!, defaultScope: '$(echo) `a`', tokenEndpointAuthMethod: 'client_secret_basic' }))
    .replaceAll(/<.*>/g, 'x')
  const script = `${settings}\nprintf '%s\\n' "$OIDC_CLIENT_ID" "$OIDC_REDIRECT_URI" "$OIDC_SCOPES"`
  t.same(execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' }).trimEnd().split('\n'),
    [IDS[0], CALLBACK, 'openid profile email $(echo) `a`'])
})
