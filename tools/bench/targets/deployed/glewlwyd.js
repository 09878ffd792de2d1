import { form } from '../../loads.js'
import { SCOPE, TOKEN_CLIENT } from '../../services/registrations.js'
import { DEVICE_CODE, headersOf, query, tokensOf } from '../../services/token-loads.js'
import { codeOf, grants } from './grants.js'

const start = ({ dir }) => ({ file: '/usr/bin/glewlwyd', args: [`--config-file=${dir}/glewlwyd.conf`] })

/** The path of an OAuth endpoint; `g_continue` is what its page adds when a signed-in user continues. */
const path = (name, asked) => `/api/oidc/${name}${asked === undefined ? '' : `?${asked}`}`

/**
 * Glewlwyd 2.7 with its OpenID Connect plugin, in C. Passwords: PBKDF2, SHA-256; the client's secret is stored as it is (as a client's
 * password, hashed, it takes 20 ms of CPU more per request). Access tokens: JWT, ES256; refresh tokens are rotated. Two requests up to
 * the code: the first one leads to the login page. SQLite as it is in a new file: a rollback journal, and therefore
 * `synchronous=FULL`. Its device grant works on one connection only: of concurrent requests, some get deviceServerError.
 */
export default {
  group: 'peer',
  database: 'sqlite',
  packages: ['glewlwyd'],
  async prepare (context) {
    const { configure, writeFiles } = await import('./glewlwyd/setup.js')
    writeFiles(context)
    await configure(context, start(context))
  },
  start,
  workloads: {
    ...grants({ tokenPath: path('token'), getCode }),
    device: async context => {
      const cookie = context.memory.get('session')
      const post = (path, fields) =>
        ({ method: 'POST', path, headers: headersOf(context), body: form({ client_id: TOKEN_CLIENT, ...fields }) })
      return {
        visit: async ask => {
          const codes = JSON.parse((await ask(post(path('device_authorization/'), { scope: SCOPE }))).body)
          const asked = form({ code: codes.user_code })
          await ask({ path: path('device', asked), headers: { cookie } })
          const { head } = await ask({ path: path('device', `${asked}&g_continue`), headers: { cookie } })
          if (!head.includes('prompt=deviceComplete')) throw new Error(`It is not allowed: ${head}`)
          tokensOf(await ask(post(path('token'), { grant_type: DEVICE_CODE, device_code: codes.device_code })))
        }
      }
    }
  }
}

async function getCode (ask, { memory }) {
  const headers = { cookie: memory.get('session') }
  const asked = query()
  await ask({ path: path('auth', asked), headers })
  return codeOf(await ask({ path: path('auth', `${asked}&g_continue`), headers }))
}
