import { cookiesOf } from '../../load/ask.js'
import { each, FORM } from '../../loads.js'
import { authorizations, isToken, program, query } from './authorization/loads.js'

/**
 * @jmondi/oauth2-server 4 on Fastify, implicit grant, ES256. It has no consent page: its form has no transaction, and is
 * checked by the library as the request was.
 */
export default {
  group: 'peer',
  database: 'memory',
  start: context => program('jmondi', context),
  workloads: {
    authorize: async () => authorizations('/consent?', () => `/authorize?${query()}`),
    consent: async ({ ask, memory }) => {
      if (!memory.has('cookie')) memory.set('cookie', cookiesOf(await ask({ method: 'POST', path: '/sign-in' })))
      const headers = { ...FORM, cookie: memory.get('cookie') }
      return { requests: each(() => ({ method: 'POST', path: `/consent?${query()}`, headers, body: 'decision=allow' })), expect: isToken }
    }
  }
}
