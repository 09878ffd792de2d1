import { headerOf } from '../../load/ask.js'
import { SCOPE } from '../../services/registrations.js'
import { authorizations, isToken, program, query } from './authorization/loads.js'

/** It offers `token` only together with an `id_token`, which needs a nonce. */
const path = () =>
  `/auth?${query({ response_type: 'id_token token', scope: `openid ${SCOPE}`, nonce: Math.random().toString(36).slice(2) })}`

/**
 * oidc-provider 9 in Express, implicit flow, ES256, in memory. A consent is two requests, the form and the authorization
 * that it resumes; they count as one, and sign two tokens. Each form is that of another session, as a session is renewed
 * with every consent.
 */
export default {
  group: 'peer',
  database: 'memory',
  start: context => ({ ...program('oidc-provider', context), probe: '/.well-known/openid-configuration' }),
  workloads: {
    authorize: async () => authorizations('/interaction/', path),
    consent: async context => {
      const { ask, requests } = context
      // More than are asked for: a visit cannot end for want of them.
      const pages = await signInAll(context, Math.ceil(1.5 * requests))
      return {
        visit: async askOn => {
          const answer = await decide(askOn, pages.pop() ?? await signIn(ask))
          if (!isToken(answer.status, answer.head)) throw new Error(`This is no token: ${answer.head}`)
        }
      }
    }
  }
}

/** Responses that redirect signed-in users to the consent page. */
async function signInAll ({ askAll }, count) {
  const pages = await askAll(Array.from({ length: count }, () => ({ path: path() })))
  const answers = await askAll(pages.map(submission))
  return await askAll(answers.map((answer, index) => resumption(answer, pages[index])))
}

async function signIn (ask) {
  return await decide(ask, await ask({ path: path() }))
}

/** Sends the form of an interaction, and resumes its authorization request. */
async function decide (ask, page) {
  return await ask(resumption(await ask(submission(page)), page))
}

function submission (page) {
  const [interaction] = headerOf(page, 'location')
  return { method: 'POST', path: interaction, headers: { cookie: keptOf(page) } }
}

function resumption (answer, page) {
  const [resume] = headerOf(answer, 'location')
  return { path: new URL(resume).pathname, headers: { cookie: keptOf(page) } }
}

/** The cookies that a response sets, without those that it clears first. */
function keptOf (answer) {
  const set = headerOf(answer, 'set-cookie').map(it => it.split(';', 1)[0].split('='))
  return [...new Map(set)].map(it => it.join('=')).join('; ')
}
