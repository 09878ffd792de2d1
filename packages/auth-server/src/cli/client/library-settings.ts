import { UsageError } from '@frontdesk/service-kit/cli/errors'
import { libraries } from './libraries/index.js'
import { DUTIES, type App } from './libraries/library.js'

/** The option `--for`. */
export const FOR = {
  '--for <library>': {
    says: 'print the settings of this library for the client, to sign users in',
    choices: libraries.map(({ name }) => name),
    parse: parseLibrary,
    conflicts: 'json'
  }
} as const

/** The settings of a library for a client. */
export function librarySettings (library: string, app: App): string {
  const { settings, usual } = find(library)
  const isSilent = !app.idTokenClaims && usual?.({ requireDpop: app.dpopBoundAccessTokens }).idTokenClaims === true
  const hint = `\n\nThis library reads the name in the ID token: frontdesk-auth client update ${app.id} --id-token-claims`
  return `${settings(app)}${isSilent ? hint : ''}`
}

/** Options of a new client, with its library's defaults. */
export function withUsual<Given extends { readonly for?: string }> (given: Given): Given {
  if (given.for === undefined) return given
  const requireDpop = 'requireDpop' in given && given.requireDpop === true
  return { ...find(given.for).usual?.({ requireDpop }), ...given }
}

/** Why a client cannot use a library, in a sentence; `null` if it can, or none is chosen. */
export function whyNotLibrary (library: string | undefined, app: Omit<App, 'id'>): string | null {
  if (library === undefined) return null
  const { keys, cannot, methods } = find(library)
  const { grantTypes, callbacks, tokenEndpointAuthMethod: method } = app
  if (!grantTypes.includes('authorization_code') || callbacks.length === 0) {
    return `${library} needs a client with a callback and the authorization code grant.`
  }
  if (keys === 'in the browser' && method !== 'none') {
    return `${library} runs in the browser, which cannot keep a secret or a key: it needs a public client.`
  }
  if (methods?.includes(method) === false) return `${library} cannot authenticate in this way: --auth-method ${methods.join(' or ')}.`
  const duty = cannot.map(name => DUTIES[name]).find(([, isRequired]) => isRequired(app))
  if (duty !== undefined) return `${library} cannot ${duty[0]}, as this client must.`
  return method === 'private_key_jwt' ? `The client signs with a key that only it has: see ${keys} of ${library}.` : null
}

/** @throws UsageError for an unknown library */
function parseLibrary (text: string): string {
  const found = libraries.find(({ name, aliases }) => name === text || aliases?.includes(text))
  if (found === undefined) throw new UsageError(`Allowed choices are ${libraries.map(({ name }) => name).join(', ')}.`)
  return found.name
}

function find (library: string) {
  // `!`: `parseLibrary` refuses other names.
  return libraries.find(({ name }) => name === library)!
}
