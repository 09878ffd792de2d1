import type { Authentication } from './authentication.js'
import { errors, parameterError } from './errors.js'
import { single, type Parameters } from './parameters.js'
import type { SignUpConfig } from '../settings/sign-up.js'
import { ANY_ACR, knownAcrs, type RequestedAcrs } from './requested-acr.js'

/** The interaction with the user that a request requires (OpenID Connect Core §3.1.2.1). */
export interface Interaction extends RequestedAcrs {
  /** `prompt=none`: show no page. */
  readonly silent: boolean
  /** `prompt=create`: show the page that creates an account first (Initiating User Registration via OpenID Connect 1.0). */
  readonly create: boolean
  /** `prompt=consent`: show the consent page even if consent is remembered. */
  readonly asked: boolean
  /** `prompt=login`: require the password, even in a session. */
  readonly reauthenticate: boolean
  /** Maximum age of the sign-in, in seconds. */
  readonly maxAge: number | undefined
  /** User name for the sign-in form. */
  readonly loginHint: string | undefined
}

/** Values of `prompt` (OpenID Connect Core §3.1.2.1). @param config whether people can create an account */
export function promptsOf ({ signUp }: Pick<SignUpConfig, 'signUp'>): readonly string[] {
  return ['none', 'login', 'consent', 'select_account', ...signUp === 'off' ? [] : ['create']]
}

/** Default interaction. */
const USUAL: Interaction = {
  silent: false, create: false, asked: false, reauthenticate: false, maxAge: undefined, loginHint: undefined, ...ANY_ACR
}

/** The parameters that it is read from. */
const PARAMETERS = ['prompt', 'max_age', 'login_hint', 'acr_values']

/** Maximum length of a hint on a page, in characters. */
const MAX_HINT = 200

/**
 * Reads the required interaction.
 * @param isOpenid whether it is an OpenID Connect request; in others, an unknown prompt has no effect
 * @param claimed what `claims` requests for `acr`; `undefined`: nothing, so that `acr_values` applies
 * @param supported values of `prompt`
 * @throws OAuthError `invalidRequest` if a prompt is unknown, or `none` is combined with another one, or `max_age` is not a number of
 * seconds
 */
export function readInteraction (
  parameters: Parameters, isOpenid: boolean, claimed?: RequestedAcrs, supported: readonly string[] = promptsOf({ signUp: 'off' })
): Interaction {
  if (claimed === undefined && PARAMETERS.every(name => parameters[name] === undefined)) return USUAL
  const prompts = (single(parameters, 'prompt') ?? '').split(' ').filter(it => it !== '')
  if (prompts.includes('none') && prompts.length > 1) {
    throw parameterError('prompt', 'has an invalid value', 'prompt has none and other values')
  }
  if (isOpenid && !prompts.every(it => supported.includes(it))) throw parameterError('prompt', 'has an invalid value', 'prompt is unknown')
  const maxAge = single(parameters, 'max_age')
  if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge)) {
    throw parameterError('max_age', 'has an invalid value', 'max_age is not a number of seconds')
  }
  return {
    silent: prompts.includes('none'),
    create: supported.includes('create') && prompts.includes('create'),
    asked: prompts.includes('consent') || prompts.includes('select_account'),
    reauthenticate: prompts.includes('login'),
    maxAge: maxAge === undefined ? undefined : Number(maxAge),
    loginHint: single(parameters, 'login_hint')?.slice(0, MAX_HINT),
    ...claimed ?? { ...ANY_ACR, acrs: knownAcrs((single(parameters, 'acr_values') ?? '').split(' ')) }
  }
}

/** How far clocks of replicas can differ, in milliseconds. */
const CLOCK_TOLERANCE_MS = 60_000

/**
 * Whether the user entered the password at most `maxAge` seconds ago. A time in the future is not recent: the clock was set back, so
 * the age is unknown.
 */
export function isRecent (authTime: Date, maxAge: number, now: Date): boolean {
  const age = now.getTime() - authTime.getTime()
  return age >= -CLOCK_TOLERANCE_MS && age <= maxAge * 1_000
}

/** The session if the request accepts it; `null` if the user must sign in. */
export function sessionFor<T extends Pick<Authentication, 'authTime'>> (
  { reauthenticate, maxAge }: Pick<Interaction, 'reauthenticate' | 'maxAge'>,
  session: T | null,
  now: Date
): T | null {
  if (session === null || reauthenticate) return null
  return maxAge === undefined || isRecent(session.authTime, maxAge, now) ? session : null
}

/** @throws OAuthError `loginRequired` or `consentRequired` if the request allows no page */
export function assertMayAsk ({ silent }: Interaction, session: object | null): void {
  if (silent) throw errors[session === null ? 'loginRequired' : 'consentRequired']('prompt is none')
}
