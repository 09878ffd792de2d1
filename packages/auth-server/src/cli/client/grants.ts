import { readFileSync } from 'node:fs'
import type { Client } from '../../oauth/client.js'
import { CommandError } from '../command-error.js'

/** The options for grants and for authentication at the token endpoint. */
export interface GrantOptions {
  readonly grant?: readonly string[]
  readonly confidential?: true
  readonly authMethod?: string
  readonly pkce?: Client['pkce']
  readonly jwks?: string
}

/** The columns for them. */
export interface GrantColumns {
  readonly grantTypes: readonly string[]
  readonly tokenEndpointAuthMethod: string
  readonly pkce: Client['pkce']
  readonly jwks: string | null
}

const SECRET = /^client_secret_/

/** The grants of a new app that names none. */
export const DEFAULT_GRANTS: readonly string[] = ['authorization_code']

/** Whether the implicit grant is among those that were asked for. */
export function usesImplicit ({ grant = [] }: Pick<GrantOptions, 'grant'>): boolean {
  return grant.includes('implicit')
}

/** Reads what was asked for. @throws CommandError if the key file cannot be read */
export function readGrants ({ grant = [], confidential, authMethod, pkce = 'required', jwks }: GrantOptions): GrantColumns {
  const usual = jwks !== undefined ? 'private_key_jwt' : confidential ? 'client_secret_basic' : 'none'
  return {
    grantTypes: [...new Set(grant)].filter(it => it !== 'implicit'),
    tokenEndpointAuthMethod: authMethod ?? usual,
    pkce,
    jwks: jwks === undefined ? null : readJwks(jwks)
  }
}

/** Whether an app with these grants has to have a callback. */
export function needsCallback ({ grant = DEFAULT_GRANTS }: Pick<GrantOptions, 'grant'>): boolean {
  return grant.some(it => it !== 'client_credentials')
}

/** Whether an app authenticates with a secret. */
export function hasSecret ({ tokenEndpointAuthMethod }: { tokenEndpointAuthMethod: string }): boolean {
  return SECRET.test(tokenEndpointAuthMethod)
}

/** The public keys of an app as JSON (RFC 7517 §5). */
function readJwks (file: string): string {
  try {
    // as: what is not so is refused.
    const { keys } = JSON.parse(readFileSync(file, 'utf8')) as { keys?: Array<Record<string, unknown>> }
    if (arePublic(keys)) return JSON.stringify({ keys })
  } catch (cause) {
    throw new CommandError(`The keys in ${file} cannot be read: ${cause instanceof Error ? cause.message : cause}.`, { cause })
  }
  throw new CommandError(`${file} must be a JWK Set with public keys alone: {"keys": […]}.`)
}

/** Whether these are keys, and public ones (RFC 7517 §4). */
export function arePublic (keys: unknown): boolean {
  return Array.isArray(keys) && keys.length > 0 && keys.every(isPublic)
}

/** RFC 7518 §6: `d` is private, `k` a secret. */
function isPublic (key: unknown): boolean {
  return typeof key === 'object' && key !== null && 'kty' in key && !('d' in key) && !('k' in key)
}
