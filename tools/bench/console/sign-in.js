import { cookiesOf, headerOf } from '../load/ask.js'
import { form, FORM } from '../loads.js'
import { fieldOf, signIn } from '../services/authorization-loads.js'
import { authSettings, command } from '../services/auth-server.js'
import { PASSWORD } from '../services/registrations.js'

/** Callers of a kind take turns, because each can send only ten requests a second. */
const CALLERS = [1, 2, 3]

/** Adds administrators, and clients of the administration API. */
export function addCallers (context) {
  for (const number of CALLERS) {
    command(context, ['user', 'add', `administrator-${number}`, '--role', 'administrator'], `${PASSWORD}\n`)
    const added = command(context, [
      'client', 'add', `automation-${number}`, '--name', 'Automation', '--grant', 'client_credentials', '--confidential',
      '--allowed-scope', 'admin:read'
    ])
    // 256 random bits, base64url.
    context.memory.set(`automation-${number}`, /[\w-]{43}/.exec(added)[0])
  }
}

/** Signs the administrators in to the console, in their browsers. Returns the headers of their requests. */
export async function signInAll (context) {
  return await Promise.all(CALLERS.map(number => signInTo(context, `administrator-${number}`)))
}

/** Gets tokens for the administration API. Returns the headers of requests with them. */
export async function getTokens (context) {
  return await Promise.all(CALLERS.map(async number => {
    const id = `automation-${number}`
    const { body } = await context.ask({
      method: 'POST',
      path: '/token',
      headers: { ...FORM, authorization: `Basic ${Buffer.from(`${id}:${context.memory.get(id)}`).toString('base64')}` },
      body: form({ grant_type: 'client_credentials', scope: 'admin:read', resource: `${authSettings(context).ISSUER}/admin/api` })
    })
    return { authorization: `Bearer ${JSON.parse(body).access_token}` }
  }))
}

/** Follows the console to the sign-in and back. */
async function signInTo (context, username) {
  const cookies = new Map()
  const visit = async request => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await context.ask({ ...request, headers: { ...request.headers, cookie } })
    for (const [name, value] of cookiesOf(answer).split('; ').map(it => it.split('='))) cookies.set(name, value)
    const [to] = headerOf(answer, 'location')
    const { pathname, search } = new URL(to ?? '/', 'https://auth.example')
    return { ...answer, next: pathname + search }
  }
  const begun = await visit({ path: '/admin' })
  const asked = await visit({ path: begun.next })
  const page = await visit({ path: asked.next })
  const signedIn = await visit(signIn({ query: asked.next.split('?')[1], cookie: '', transaction: fieldOf(page) }, username))
  await visit({ path: signedIn.next })
  const start = await visit({ path: '/admin' })
  if (start.status !== 200) throw new Error(`${username} cannot sign in to the console: ${start.head}`)
  return { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
}
