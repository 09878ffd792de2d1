import { OutgoingError } from '@frontdesk/service-kit/outgoing/outgoing-error'
import type * as openid from 'openid-client'
import { errors, type OAuthError } from '../oauth/errors.js'

/** Errors of an authorization response that mean that the user did not sign in (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6). */
const DENIALS = ['access_denied', 'login_required', 'interaction_required', 'consent_required', 'account_selection_required']
/** Errors that mean that the provider is down. */
const OUTAGES = ['server_error', 'temporarily_unavailable']

/** Why a sign-in with the upstream provider failed. The log gets codes and names, and no text or token of the provider. */
export function upstreamFailure ({ AuthorizationResponseError, ResponseBodyError }: typeof openid, error: unknown): OAuthError {
  const causes = causesOf(error)
  const outgoing = causes.find(it => it instanceof OutgoingError)
  if (outgoing !== undefined) return errors.upstreamUnavailable(outgoing.message)
  const answered = error instanceof AuthorizationResponseError || error instanceof ResponseBodyError ? wordOf(error.error) : ''
  const facts = { answered, code: causes.map(it => 'code' in it ? wordOf(it.code) : '').find(it => it !== '') }
  if (error instanceof AuthorizationResponseError) {
    if (DENIALS.includes(answered)) return errors.upstreamDenied('the provider says that the user did not sign in', facts)
    if (OUTAGES.includes(answered)) return errors.upstreamUnavailable('the provider has a failure of its own', facts)
  }
  // openid-client's own sentence: that of JSON.parse quotes the response.
  return errors.upstreamRefused(causes.findLast(it => !(it instanceof SyntaxError))?.message ?? 'the response is invalid', facts)
}

function causesOf (error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}

/** A code, not any text: what the provider says goes to the log. */
function wordOf (code: unknown): string {
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : ''
}
