import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { cookiesOf } from '../../../load/ask.js'
import { startServer } from '../../../machine/server.js'
import { CALLBACK, PASSWORD, SCOPE, TOKEN_CLIENT, USERNAME } from '../../../services/registrations.js'
import { SECRET } from '../grants.js'

const TABLES = '/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz'

/** Creates the database with Debian's script, and a settings file: Debian's with another port, log and database. */
export function writeFiles ({ dir, port, url }) {
  const database = new Database(`${dir}/glewlwyd.db`)
  database.exec(gunzipSync(readFileSync(TABLES)).toString())
  database.close()
  const changes = { port, bind_address: '"127.0.0.1"', external_url: `"${url}"`, log_mode: '"console"', log_file: '""' }
  const kept = readFileSync('/etc/glewlwyd/glewlwyd.conf', 'utf8')
    .split('\n')
    .filter(line => !line.startsWith('@include') && !Object.keys(changes).some(it => line.startsWith(`${it}=`)))
  const changed = Object.entries(changes).map(([name, value]) => `${name}=${value}`)
  writeFileSync(`${dir}/glewlwyd.conf`, [...changed, ...kept, `database = { type = "sqlite3"; path = "${dir}/glewlwyd.db"; };\n`].join('\n'))
}

/** Adds the user, the client and the endpoints with the API for administrators. Leaves the user's session in `memory`. */
export async function configure (context, start) {
  const { ask, memory } = context
  const server = await startServer(start, context)
  const send = async (method, path, body, cookie = '') => {
    const headers = { 'content-type': 'application/json', cookie }
    const answer = await ask({ method, path: `/api/${path}`, headers, body: JSON.stringify(body) })
    if (answer.status !== 200) throw new Error(`Glewlwyd does not accept ${path}: ${answer.head}${answer.body}`)
    return cookiesOf(answer)
  }
  try {
    const admin = await send('POST', 'auth/', { username: 'admin', password: 'password' })
    const scope = SCOPE.split(' ')
    for (const name of scope) {
      await send('POST', 'scope/', { name, display_name: name, password_required: true, password_max_age: 0, scheme: {} }, admin)
    }
    const user = { username: USERNAME, name: USERNAME, password: PASSWORD, scope: ['g_profile', ...scope], enabled: true }
    await send('POST', 'user/', user, admin)
    await send('POST', 'client/', client(scope), admin)
    await send('POST', 'mod/plugin/', endpoints(), admin)
    const session = await send('POST', 'auth/', { username: USERNAME, password: PASSWORD })
    await send('PUT', `auth/grant/${TOKEN_CLIENT}/`, { scope: SCOPE }, session)
    memory.set('session', session)
    memory.set('secret', SECRET)
  } finally {
    await server.stop()
  }
}

const client = scope => ({
  client_id: TOKEN_CLIENT,
  name: 'Service',
  confidential: true,
  client_secret: SECRET,
  scope,
  redirect_uri: [CALLBACK],
  authorization_type: ['code', 'refresh_token', 'client_credentials', 'device_authorization'],
  token_endpoint_auth_method: ['client_secret_basic'],
  enabled: true
})

function endpoints () {
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' }
  })
  return {
    module: 'oidc',
    name: 'oidc',
    display_name: 'OpenID Connect',
    parameters: {
      iss: 'https://auth.example',
      'jwt-type': 'ecdsa',
      'jwt-key-size': '256',
      key: privateKey,
      cert: publicKey,
      'subject-type': 'public',
      'access-token-duration': 600,
      'refresh-token-duration': 1_209_600,
      'refresh-token-one-use': 'always',
      'code-duration': 600,
      'allow-non-oidc': true,
      'auth-type-code-enabled': true,
      'auth-type-token-enabled': false,
      'auth-type-id-token-enabled': true,
      'auth-type-client-enabled': true,
      'auth-type-refresh-enabled': true,
      'auth-type-device-enabled': true,
      'device-authorization-expiration': 600,
      'device-authorization-interval': 5,
      'pkce-allowed': true
    }
  }
}
