import { createHash } from 'node:crypto'
import { cookiesOf, headerOf } from '../load/ask.js'
import { each, form, FORM } from '../loads.js'
import { allow, fieldOf, randomAddress, signIn } from './authorization-loads.js'
import { makeProofs } from './proofs.js'
import { CALLBACK, DEVICE_CLIENTS, SCOPE, TOKEN_CLIENT } from './registrations.js'

export const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'
export const VERIFIER = 'v'.repeat(43)
const challenge = createHash('sha256').update(VERIFIER).digest('base64url')

/** Number of tokens to introspect repeatedly. */
const TOKENS = 500

/** Scopes of a client that also requests an ID token. */
export const OPENID = `openid profile ${SCOPE}`

/** The query of a request for a code, each with another state. */
export const query = (scope = SCOPE) => form({
  response_type: 'code',
  client_id: TOKEN_CLIENT,
  redirect_uri: CALLBACK,
  scope,
  state: Math.random().toString(36).slice(2),
  code_challenge: challenge,
  code_challenge_method: 'S256'
})

/** Requests to the token endpoints of auth-server and of the hand-written limit, by a client with a secret. */
export const tokenLoads = {
  'client-credentials': async context => {
    const headers = headersOf(context)
    return { requests: each(() => issue(headers)), expect: 200 }
  },
  introspect: async context => {
    const headers = headersOf(context)
    const answers = await context.askAll(Array.from({ length: TOKENS }, () => issue(headers)))
    const bodies = answers.map(answer => form({ token: tokensOf(answer).access_token }))
    let at = 0
    return {
      requests: each(() => ({ method: 'POST', path: '/introspect', headers, body: bodies[at++ % TOKENS] })),
      expect: (status, head, body) => status === 200 && body.includes('"active":true')
    }
  },
  revoke: async context => {
    const headers = headersOf(context)
    return {
      visit: async ask => {
        const { access_token: token } = tokensOf(await ask(issue(headers)))
        const { status, head } = await ask({ method: 'POST', path: '/revoke', headers, body: form({ token }) })
        if (status !== 200) throw new Error(`It is not revoked: ${head}`)
      }
    }
  },
  'code-flow': async context => {
    const cookie = await session(context)
    return { visit: async ask => { await getCode(ask, cookie) } }
  },
  'code-exchange': async context => {
    const cookie = await session(context)
    return { visit: async ask => { await exchange(ask, context, await getCode(ask, cookie)) } }
  },
  'code-exchange-openid': async context => {
    const cookie = await session(context, OPENID)
    return {
      visit: async ask => {
        const { id_token: idToken } = await exchange(ask, context, await getCode(ask, cookie, OPENID))
        if (idToken === undefined) throw new Error('There is no ID token.')
      }
    }
  },
  'code-exchange-dpop': async context => {
    const cookie = await session(context)
    const proofs = makeProofs()
    const request = { method: 'POST', url: 'https://auth.example/token' }
    const headers = { ...headersOf(context), dpop: proofs.sign(request) }
    const response = await context.ask({ method: 'POST', path: '/token', headers, body: 'grant_type=client_credentials' })
    const [nonce] = headerOf(response, 'dpop-nonce')
    return {
      visit: async ask => {
        const { token_type: type } = await exchange(ask, context, await getCode(ask, cookie), { dpop: proofs.sign({ ...request, nonce }) })
        if (type !== 'DPoP') throw new Error('The token is not bound.')
      }
    }
  },
  userinfo: async context => {
    const { access_token: token } = await exchange(context.ask, context, await getCode(context.ask, await session(context, OPENID), OPENID))
    const headers = { authorization: `Bearer ${token}` }
    return {
      requests: each(() => ({ path: '/userinfo', headers })),
      expect: (status, head, body) => status === 200 && body.includes('"sub"')
    }
  },
  par: async context => {
    const headers = headersOf(context)
    return { requests: each(() => ({ method: 'POST', path: '/par', headers, body: query() })), expect: 201 }
  },
  refresh: async context => {
    const cookie = await session(context)
    const headers = headersOf(context)
    const tokens = []
    while (tokens.length < context.connections + 32) {
      tokens.push((await exchange(context.ask, context, await allowCode(context.ask, cookie))).refresh_token)
    }
    return {
      visit: async ask => {
        const body = form({ grant_type: 'refresh_token', refresh_token: tokens.shift() })
        tokens.push(tokensOf(await ask({ method: 'POST', path: '/token', headers, body })).refresh_token)
      }
    }
  },
  device: async context => {
    const cookie = await session(context)
    const entry = fieldOf(await context.ask({ path: '/device', headers: { cookie } }))
    let at = 0
    return {
      visit: async ask => {
        const client = DEVICE_CLIENTS[at++ % DEVICE_CLIENTS.length]
        // Codes that are typed wait for others of the same address.
        const headers = { ...FORM, ...randomAddress() }
        const send = async (path, fields) => await ask({ method: 'POST', path, headers: { ...headers, cookie }, body: form(fields) })
        const { device_code: code, user_code: userCode } = JSON.parse((await send('/device_authorization', { client_id: client })).body)
        const page = await send('/device', { transaction: entry, user_code: userCode, decision: 'continue' })
        const { status, head } = await send('/device', { transaction: fieldOf(page), user_code: userCode, decision: 'allow' })
        if (status !== 303) throw new Error(`It is not allowed: ${head}`)
        tokensOf(await send('/token', { grant_type: DEVICE_CODE, client_id: client, device_code: code }))
      }
    }
  }
}

const issue = headers => ({ method: 'POST', path: '/token', headers, body: 'grant_type=client_credentials' })

/** The headers of a form by the client with a secret. */
export function headersOf ({ memory }) {
  return { ...FORM, authorization: `Basic ${btoa(`${TOKEN_CLIENT}:${encodeURIComponent(memory.get('secret'))}`)}` }
}

/** Signs in and allows the client once. Returns the browser's cookies. */
async function session ({ ask, memory }, scope = SCOPE) {
  if (!memory.has(`session for ${scope}`)) {
    const asked = query(scope)
    const page = await ask({ path: `/consent?${asked}` })
    const cookie = cookiesOf(page)
    const answer = await ask(signIn({ query: asked, cookie, transaction: fieldOf(page) }))
    codeOf(answer)
    memory.set(`session for ${scope}`, `${cookie}; ${cookiesOf(answer)}`)
  }
  return memory.get(`session for ${scope}`)
}

/** Gets a code from remembered consent: auth-server redirects to the consent page first, the limit responds directly. */
async function getCode (ask, cookie, scope) {
  const asked = query(scope)
  const first = await ask({ path: `/authorize?${asked}`, headers: { cookie } })
  return codeOf(first.status === 303 ? first : await ask({ path: `/consent?${asked}`, headers: { cookie } }))
}

/** Gets a code with the consent form: its grant stays, whereas remembered consent keeps only the newest hundred. */
async function allowCode (ask, cookie) {
  const asked = `${query()}&prompt=consent`
  const first = await ask({ path: `/authorize?${asked}`, headers: { cookie } })
  if (first.status === 303) return codeOf(first)
  const page = await ask({ path: `/consent?${asked}`, headers: { cookie } })
  return codeOf(await ask(allow({ query: asked, cookie, transaction: fieldOf(page) })))
}

async function exchange (ask, context, code, headers = {}) {
  const body = form({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER })
  return tokensOf(await ask({ method: 'POST', path: '/token', headers: { ...headersOf(context), ...headers }, body }))
}

function codeOf ({ status, head, body }) {
  const [location = ''] = headerOf({ head }, 'location')
  if (status !== 303 || !location.startsWith(`${CALLBACK}?`)) throw new Error(`This is no code: ${head}${body.slice(0, 500)}`)
  return new URL(location).searchParams.get('code')
}

/** The tokens of a response. @throws if there are none */
export function tokensOf ({ status, head, body }) {
  if (status !== 200) throw new Error(`These are no tokens: ${head}${body}`)
  return JSON.parse(body)
}
