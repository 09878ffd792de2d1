import { parameterError, oauthError } from './errors.js'
import { single, type Parameters } from './parameters.js'

/** How a request wants the person to be asked (OpenID Connect Core §3.1.2.1). */
export interface Interaction {
  /** Nobody may be asked anything. */
  readonly silent: boolean
  /** The person has to be asked, also for what was allowed before. */
  readonly asked: boolean
  /** The password has to be given, also by who is signed in. */
  readonly anew: boolean
  /** How long ago it may have been given, in seconds. */
  readonly maxAge: number | undefined
  /** Who is probably going to sign in. */
  readonly loginHint: string | undefined
}

/** As of a request that says nothing of it. */
const USUAL: Interaction = { silent: false, asked: false, anew: false, maxAge: undefined, loginHint: undefined }

/** Longest hint that a page shows, in characters. */
const MAX_HINT = 200

/** @throws OAuthError `invalidRequest` if `none` is not the only prompt, or the age is no number of seconds */
export function readInteraction (parameters: Parameters): Interaction {
  if (parameters.prompt === undefined && parameters.max_age === undefined && parameters.login_hint === undefined) return USUAL
  const prompts = (single(parameters, 'prompt') ?? '').split(' ').filter(it => it !== '')
  if (prompts.includes('none') && prompts.length > 1) throw parameterError('prompt', 'has an invalid value', 'prompt holds none and more')
  const maxAge = single(parameters, 'max_age')
  if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge)) throw parameterError('max_age', 'has an invalid value', 'max_age is no number of seconds')
  return {
    silent: prompts.includes('none'),
    asked: prompts.includes('consent') || prompts.includes('select_account'),
    anew: prompts.includes('login'),
    maxAge: maxAge === undefined ? undefined : Number(maxAge),
    loginHint: single(parameters, 'login_hint')?.slice(0, MAX_HINT)
  }
}

/** The session if it will do for the request; `null` if the person has to sign in. */
export function sessionFor<T extends { authTime: Date }> ({ anew, maxAge = Infinity }: Interaction, session: T | null, now: Date): T | null {
  if (session === null || anew) return null
  return now.getTime() - session.authTime.getTime() > maxAge * 1000 ? null : session
}

/** @throws OAuthError `loginRequired` or `consentRequired` if nobody may be asked */
export function assertMayAsk ({ silent }: Interaction, session: object | null): void {
  if (silent) throw oauthError(session === null ? 'loginRequired' : 'consentRequired', 'prompt is none')
}
