import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import type { FormToken } from '../../consent/form-token.js'
import { errors } from '../../oauth/errors.js'
import { single } from '../../oauth/parameters.js'
import { issuePageToken, onOwnPage, verifyPageToken } from '../visit.js'

/** Binds form tokens to the console, since its forms belong to no authorization request. */
const CONSOLE_FORM = '/admin'

/** Issues the form token of a page for its user. */
export function issueConsoleToken (reply: FastifyReply, formKeys: FormKeys, userId: string): string {
  return issuePageToken(reply, formKeys, CONSOLE_FORM, { userId })
}

/**
 * Verifies the form token of a submitted form.
 * @param signedIn the user; `undefined`: any
 * @throws OAuthError as {@link verifyPageToken}, with advice for administrators
 */
export function verifyConsoleToken (request: FastifyRequest, formKeys: FormKeys, signedIn?: string): FormToken {
  return onOwnPage(request, request.server.prefix, () => {
    const token = verifyPageToken(request, formKeys, CONSOLE_FORM, single(request.form, 'transaction'))
    if (signedIn !== undefined && token.userId !== signedIn) throw errors.foreignForm('another user has signed in since')
    return token
  })
}
