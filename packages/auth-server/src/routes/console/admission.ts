import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Acr } from '@frontdesk/schemas/acr'
import { findRights, isSensitiveFor, rolesWith, type Right } from '../../admin/rights.js'
import { allowsSensitive, requiredSignIn } from '../../admin/sensitive-sign-in.js'
import type { FormKeys } from '../../consent/form-keys.js'
import { message } from '../../languages/translator.js'
import { acrOf } from '../../oauth/acr.js'
import { CONSOLE_ID } from '../../oauth/console-client.js'
import type { ConsoleSession } from '../../stores/sessions/console-sessions.js'
import type { Stores } from '../../stores/stores.js'
import { REQUESTS_PER_CALLER } from '../admin/access.js'
import type { ConsoleAction, ConsoleDownload, ConsolePage } from './define.js'
import { verifyConsoleToken } from './form-token.js'
import type { createRender } from './render.js'
import type { createSignIn, Draft } from './sign-in.js'

/** A user with the right to make a request, with their built-in roles and rights. */
export interface Admitted { readonly session: ConsoleSession, readonly roles: readonly string[], readonly rights: ReadonlySet<Right> }

type Needed = ConsolePage | ConsoleAction | ConsoleDownload

interface Options {
  readonly stores: Pick<Stores, 'roles' | 'throttles'>
  /** Minimum `acr` for sensitive actions. */
  readonly adminAcr: Acr | undefined
  readonly formKeys: FormKeys
  /** The path of the console. */
  readonly home: string
  readonly signIn: ReturnType<typeof createSignIn>
  readonly renderProblem: ReturnType<typeof createRender>['renderProblem']
}

/**
 * Makes the function that admits a signed-in user who has the right that a request needs. It reads the roles from the database each
 * time. Otherwise, it replies with an error or a sign-in that leads back, and returns `null`. It throws OAuthError if a form was made for
 * another user or browser.
 */
export function createAdmit (fastify: FastifyInstance, { stores, adminAcr, formKeys, home, signIn, renderProblem }: Options) {
  const throttle = stores.throttles.under(REQUESTS_PER_CALLER)

  return async function admit (reply: FastifyReply, needed: Needed): Promise<Admitted | null> {
    const { request } = reply
    const session = await signIn.session(request)
    if (session !== null && await isOverLimit(reply, session)) return null
    const { roles, rights } = session === null ? { roles: [], rights: new Set<Right>() } : await findRights(stores, session.userId)
    if (session !== null && !rights.has(needed.right)) {
      const needs = rolesWith(needed.right)
      const why = message('console.failed-permission-why', { roles: needs.join(', '), count: needs.length })
      await renderProblem(reply.code(403), message('console.failed-permission'), why, session)
      return null
    }
    const draft = 'run' in needed ? draftOf(request, needed, session) : undefined
    const isSensitive = 'isSensitive' in needed && isSensitiveFor(needed.isSensitive, rights)
    if (session !== null && (!isSensitive || isSufficient(session))) return { session, roles, rights }
    // Forms and downloads belong to a page: the sign-in leads back to that.
    const to = 'page' in needed ? home + pathWith(needed.page.path, request) : request.url
    signIn.begin(reply, to, { draft, ...isSensitive && { required: requiredSignIn(adminAcr) } })
    return null
  }

  function isSufficient ({ authTime, amr }: ConsoleSession): boolean {
    return allowsSensitive({ authTime, acr: acrOf(amr) }, adminAcr, fastify.clock.now())
  }

  /** Counts a request. If the user has sent too many, it replies. */
  async function isOverLimit (reply: FastifyReply, session: ConsoleSession): Promise<boolean> {
    const { retryAfter } = await throttle.count(`${CONSOLE_ID} ${session.userId}`)
    if (retryAfter === 0) return false
    const why = message('console.failed-too-many-why', { seconds: retryAfter })
    await renderProblem(reply.code(429).header('retry-after', retryAfter), message('console.failed-too-many'), why, session)
    return true
  }

  /** The form of an action, which is verified first. @throws OAuthError */
  function draftOf (request: FastifyRequest, { name }: ConsoleAction, session: ConsoleSession | null): Draft {
    const { transaction, ...fields } = request.form
    const { userId } = verifyConsoleToken(request, formKeys, session?.userId)
    return { action: name, fields, userId }
  }
}

/** The path with the parameters of a request: `/people/:id` → `/people/42`. */
function pathWith (path: string, { params }: FastifyRequest): string {
  // as: routes have only text parameters.
  const values = params as Readonly<Record<string, string>>
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}
