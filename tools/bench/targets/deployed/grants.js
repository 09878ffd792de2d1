import { headerOf } from '../../load/ask.js'
import { each, form } from '../../loads.js'
import { CALLBACK, SCOPE, TOKEN_CLIENT } from '../../services/registrations.js'
import { headersOf, tokensOf, VERIFIER } from '../../services/token-loads.js'

export const SECRET = 'secret-of-the-bench-alone'

/**
 * The workloads of an authorization server whose user is signed in and has given consent.
 * @param {{ tokenPath: string, getCode: (ask: Function, context: import('../../context.js').Context) => Promise<string>,
 *   credentials?: (context: import('../../context.js').Context) => Record<string, string> }} server
 *   `credentials`: headers of the client of client credentials, if that is another one
 */
export function grants ({ tokenPath, getCode, credentials = headersOf }) {
  const post = (context, fields) => ({ method: 'POST', path: tokenPath, headers: headersOf(context), body: form(fields) })
  const exchange = async (ask, context) => tokensOf(await ask(post(context, {
    grant_type: 'authorization_code',
    code: await getCode(ask, context),
    redirect_uri: CALLBACK,
    client_id: TOKEN_CLIENT,
    code_verifier: VERIFIER
  })))
  return {
    'client-credentials': async context => {
      const body = form({ grant_type: 'client_credentials', scope: SCOPE })
      const request = { method: 'POST', path: tokenPath, headers: credentials(context), body }
      return { requests: each(() => request), expect: 200 }
    },
    'code-flow': async context => ({ visit: async ask => { await getCode(ask, context) } }),
    'code-exchange': async context => ({ visit: async ask => { await exchange(ask, context) } }),
    refresh: async context => {
      const { memory } = context
      // They outlast a restart, and each exchange takes tens of milliseconds.
      if (!memory.has('refresh tokens')) memory.set('refresh tokens', [])
      const tokens = memory.get('refresh tokens')
      while (tokens.length < context.connections + 32) tokens.push((await exchange(context.ask, context)).refresh_token)
      return {
        visit: async ask => {
          const request = post(context, { grant_type: 'refresh_token', refresh_token: tokens.shift() })
          tokens.push(tokensOf(await ask(request)).refresh_token)
        }
      }
    }
  }
}

/** The code of a redirect to the callback. */
export function codeOf (answer) {
  const [location = ''] = headerOf(answer, 'location')
  const code = location.startsWith(`${CALLBACK}?`) ? new URL(location).searchParams.get('code') : null
  if (code === null) throw new Error(`This is no code: ${answer.head}${answer.body.slice(0, 500)}`)
  return code
}
