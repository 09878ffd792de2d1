import { readFileSync } from 'node:fs'
import { withoutNulls } from '../../input/without-nulls.js'
import type { Client } from '../../oauth/client.js'
import { arePublic } from '../../registration/credentials.js'
import type { GrantTypeColumns } from '../../registration/grant-type-rules.js'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import type { ImplicitPolicy } from './implicit-policy.js'

/** The options for grant types and for authentication at the token endpoint. */
export interface GrantTypeOptions {
  readonly grant?: readonly string[]
  readonly confidential?: true
  readonly authMethod?: string
  readonly pkce?: Client['pkce']
  readonly jwks?: string
  readonly jwksUri?: string
}

/** Grant types of a new app if none is named, by an option or in a file. */
export const DEFAULT_GRANT_TYPES: readonly string[] = ['authorization_code']

/** Whether a new app may use the implicit grant unless that is named, by an option or in a file. */
export const DEFAULT_IMPLICIT: ImplicitPolicy = { implicit: 'off', implicitUntil: null }

/** Whether the options name the implicit grant. */
export function usesImplicit ({ grant = [] }: Pick<GrantTypeOptions, 'grant'>): boolean {
  return grant.includes('implicit')
}

/** Converts the options to columns. @throws CommandError if the key file cannot be read */
export function readGrantTypes ({ grant = [], confidential, authMethod, pkce = 'required', jwks, jwksUri }: GrantTypeOptions): GrantTypeColumns {
  const defaultMethod = (jwks ?? jwksUri) !== undefined ? 'private_key_jwt' : confidential ? 'client_secret_basic' : 'none'
  return {
    grantTypes: [...new Set(grant)].filter(it => it !== 'implicit'),
    tokenEndpointAuthMethod: authMethod ?? defaultMethod,
    pkce,
    jwks: jwks === undefined ? null : readJwks(jwks),
    jwksUri: jwksUri ?? null
  }
}

/** Grant types whose responses go to a callback. */
const WITH_CALLBACK = ['authorization_code', 'implicit']

/** Whether an app with these grant types needs a callback. */
export function needsCallback ({ grant = DEFAULT_GRANT_TYPES }: Pick<GrantTypeOptions, 'grant'>): boolean {
  return grant.some(it => WITH_CALLBACK.includes(it))
}

/** The public keys of an app as JSON (RFC 7517 §5). */
function readJwks (file: string): string {
  try {
    // as: arePublic checks it.
    const { keys } = withoutNulls(JSON.parse(readFileSync(file, 'utf8'))) as { keys?: Array<Record<string, unknown>> }
    if (arePublic(keys)) return JSON.stringify({ keys })
  } catch (cause) {
    throw new CommandError(`The keys in ${file} cannot be read: ${cause instanceof Error ? cause.message : cause}.`, { cause })
  }
  throw new CommandError(`${file} must be a JWK Set of public keys: {"keys": […]}.`)
}
