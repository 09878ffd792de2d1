import { cookiesOf, headerOf } from '../../load/ask.js'
import { form, FORM } from '../../loads.js'
import { authorizations, isToken, program, query } from './authorization/loads.js'

/**
 * oauth2orize 1 on Express, implicit grant, ES256 by jsonwebtoken. It keeps each request in the session until it is
 * decided: every form has a session of its own, or sessions would grow with the number of forms that are open.
 */
export default {
  group: 'peer',
  database: 'memory',
  start: context => program('oauth2orize', context),
  workloads: {
    authorize: async () => authorizations('/consent?', () => `/authorize?${query()}`),
    consent: async ({ askAll, requests }) => {
      const cookies = (await askAll(Array.from({ length: requests }, () => ({ method: 'POST', path: '/sign-in' })))).map(cookiesOf)
      const pages = await askAll(cookies.map(cookie => ({ path: `/authorize?${query()}`, headers: { cookie } })))
      const post = (page, index) => {
        const [, transaction] = headerOf(page, 'location')[0].split('transaction_id=')
        return {
          method: 'POST',
          path: '/consent',
          headers: { ...FORM, cookie: cookies[index] },
          body: form({ transaction_id: transaction })
        }
      }
      return { requests: pages.map(post), expect: isToken }
    }
  }
}
