import { cookiesOf } from '../../load/ask.js'
import { each } from '../../loads.js'
import { CALLBACK } from '../../services/registrations.js'
import { program, query } from './authorization/loads.js'

/**
 * @node-oauth/oauth2-server 5 on Express. It has no implicit grant ("Not implemented"), no consent, and no page between:
 * its `/authorize` takes a signed-in person and answers with a code at once. No token comes of that: `consent` is left out.
 */
export default {
  group: 'peer',
  database: 'memory',
  start: context => program('node-oauth', context),
  workloads: {
    authorize: async ({ ask }) => {
      const headers = { cookie: cookiesOf(await ask({ method: 'POST', path: '/sign-in' })) }
      return {
        requests: each(() => ({ path: `/authorize?${query({ response_type: 'code' })}`, headers })),
        expect: (status, head) => status === 302 && head.toLowerCase().includes(`location: ${CALLBACK}?code=`)
      }
    }
  }
}
