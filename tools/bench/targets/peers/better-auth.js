import { authorizations, program, query } from './authorization/loads.js'

/** The required code challenge. */
const CHALLENGE = { response_type: 'code', code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' }

/**
 * better-auth 1.7 with its plugin for OAuth on Express, in memory. Its consent gives a code, never a token: it has no
 * implicit grant, and `consent` is left out.
 */
export default {
  group: 'peer',
  database: 'memory',
  start: context => ({ ...program('better-auth', context), probe: '/client' }),
  workloads: {
    authorize: async ({ ask }) => {
      const client = JSON.parse((await ask({ path: '/client' })).body)
      return authorizations('/sign-in?', () => `/api/auth/oauth2/authorize?${query({ ...CHALLENGE, client_id: client })}`)
    }
  }
}
