import { expectation } from '../load/drive.js'
import { authorizationLoads, signInVisit } from '../services/authorization-loads.js'
import { customerLoads } from '../services/customer-loads.js'

/** Requests between a customer's addition and its removal. */
const READS = 7

/**
 * Mixed requests of a service: whole flows of a signed-in user; or customers that are added, read, changed and removed.
 * @param {import('../context.js').Context} context
 * @param {string} name
 * @returns {Promise<import('../load/drive.js').Load>}
 */
export async function mixed (context, name) {
  if (name.startsWith('auth-server')) return await authorizationLoads.flow(context)
  const [get, post, put, remove] = await Promise.all(['get', 'post', 'put', 'delete'].map(async it => await customerLoads[it](context)))
  const [reads, registrations, moves, removals] = [get, post, put, remove].map(({ requests }) => requests[Symbol.iterator]())
  return {
    visit: async ask => {
      await expect(ask, registrations.next().value, post.expect)
      for (let read = 0; read < READS; read++) await expect(ask, reads.next().value, get.expect)
      await expect(ask, moves.next().value, put.expect)
      // One that another visit registered may be on its way still: then it is left for later.
      if (context.undeleted() > 2 * 32) await expect(ask, removals.next().value, remove.expect)
    }
  }
}

/** The slowest request, once a second: a sign-in with a password. */
export function slow (name) {
  return name.startsWith('auth-server') ? signInVisit : undefined
}

async function expect (ask, request, expected) {
  const answer = await ask(request)
  if (!expectation(expected)(answer.status, answer.head, answer.body)) {
    throw new Error(`${request.method ?? 'GET'} ${request.path}: ${answer.head}${answer.body}`)
  }
}
