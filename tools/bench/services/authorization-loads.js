import { cookiesOf, headerOf } from '../load/ask.js'
import { each, form, FORM, repeat } from '../loads.js'
import { CALLBACK, CLIENT, PASSWORD, SCOPE, USERNAME } from './registrations.js'

const FIELD = /name="transaction" value="([^"]+)"/

/** The query of a request for a token, each with another state. */
const query = () => new URLSearchParams({
  response_type: 'token', client_id: CLIENT, redirect_uri: CALLBACK, scope: SCOPE, state: Math.random().toString(36).slice(2)
}).toString()

const isToken = (status, head) => status === 303 && head.includes(`${CALLBACK}#`) && head.includes('access_token=')

/** Requests to auth-server, and to the hand-written limit with the same interface. */
export const authorizationLoads = {
  authorize: async () => ({ requests: each(() => ({ path: `/authorize?${query()}` })), expect: 302 }),
  account: async context => {
    const headers = { cookie: await session(context) }
    return { requests: repeat({ path: '/account', headers }), expect: (status, head, body) => status === 200 && body.includes('Shop') }
  },
  consent: async context => {
    const cookie = await session(context)
    const forms = await fetchForms(context, cookie)
    return { requests: forms.map(allow), expect: isToken }
  },
  flow: async context => {
    const cookie = await session(context)
    return { visit: ask => visit(ask, cookie) }
  },
  'sign-in': async context => {
    const forms = await fetchForms(context, '')
    return { requests: forms.map(form => signIn(form)), expect: isToken }
  }
}

/** A user without a session: the consent page, then user name and password. */
export const signInVisit = {
  visit: async ask => {
    const asked = query()
    const page = await ask({ path: `/consent?${asked}` })
    const answer = await ask(signIn({ query: asked, cookie: cookiesOf(page), transaction: fieldOf(page) }))
    if (!isToken(answer.status, answer.head)) throw new Error(`This is no token: ${answer.head}`)
  }
}

/** Signs in once for a target. Returns the browser's cookies. */
async function session (context) {
  const { ask, memory } = context
  if (!memory.has('session')) {
    const asked = query()
    const page = await ask({ path: `/consent?${asked}` })
    const cookie = cookiesOf(page)
    const answer = await ask(signIn({ query: asked, cookie, transaction: fieldOf(page) }))
    if (!isToken(answer.status, answer.head)) throw new Error(`Cannot sign in: ${answer.head}`)
    memory.set(
      'session',
      `${cookie}; ${headerOf(answer, 'set-cookie')
        .map(it => it.split(';', 1)[0])
        .filter(it => !it.endsWith('='))
        .join('; ')}`
    )
  }
  return memory.get('session')
}

/** As many consent pages as the measurement can use. Each browser that is not signed in gets its own cookie. */
async function fetchForms ({ askAll, requests }, cookie) {
  const queries = Array.from({ length: requests }, query)
  const headers = cookie === '' ? undefined : { cookie }
  const pages = await askAll(queries.map(it => ({ path: `/consent?${it}`, headers })))
  return pages.map((page, index) => ({
    query: queries[index],
    cookie: cookie === '' ? cookiesOf(page) : cookie,
    transaction: fieldOf(page)
  }))
}

/** A signed-in user's consent form. */
export const allow = page => post(page, { decision: 'allow' })

function post ({ query, cookie, transaction }, fields) {
  return { method: 'POST', path: `/consent?${query}`, headers: { ...FORM, cookie }, body: form({ transaction, ...fields }) }
}

/** A form with name and password, each from another address. */
export function signIn (page, username = USERNAME) {
  const { headers, ...request } = post(page, { decision: 'allow', username, password: PASSWORD })
  return { ...request, headers: { ...headers, ...randomAddress() } }
}

/** The header of a proxy that names another address of the caller each time. */
export const randomAddress = () => ({ 'x-forwarded-for': `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 256)).join('.')}` })

/** The hidden field of a consent page. */
export function fieldOf (page) {
  const field = FIELD.exec(page.body)?.[1]
  if (field === undefined) throw new Error(`This is no consent page: ${page.head}${page.body.slice(0, 500)}`)
  return field
}

async function visit (ask, cookie) {
  const asked = query()
  const first = await ask({ path: `/authorize?${asked}` })
  const [location = ''] = headerOf(first, 'location')
  if (first.status !== 302 || !location.endsWith(asked)) throw new Error(`This leads to no consent page: ${first.head}`)
  const page = await ask({ path: `/consent?${asked}`, headers: { cookie } })
  const answer = await ask(allow({ query: asked, cookie, transaction: fieldOf(page) }))
  if (!isToken(answer.status, answer.head)) throw new Error(`This is no token: ${answer.head}`)
}
