import { libraries } from './index.js'
import { DUTIES, type App, type Library, type Usage } from './library.js'

/** A library's settings for a client. `isNameless`: users have no name, because the library reads it from the ID token. */
export function librarySettings (library: string, app: App): { readonly settings: string, readonly isNameless: boolean } {
  const { settings, usual } = findLibrary(library)
  const isNameless = !app.idTokenClaims && usual?.({ requireDpop: app.dpopBoundAccessTokens }).idTokenClaims === true
  return { settings: settings(app), isNameless }
}

/** The names of the libraries that a client can use. */
export function librariesFor (app: Usage): string[] {
  return libraries.map(({ name }) => name).filter(name => whyNotLibrary(name, app) === null)
}

/** Why a client cannot use a library, in a sentence; `null` if it can, or none is chosen. */
export function whyNotLibrary (library: string | undefined, app: Usage): string | null {
  if (library === undefined) return null
  const { keys, cannot, methods } = findLibrary(library)
  const { grantTypes, callbacks, tokenEndpointAuthMethod: method } = app
  if (!grantTypes.includes('authorization_code') || callbacks.length === 0) {
    return `${library} needs a client with a callback and the authorization code grant.`
  }
  if (keys === 'in the browser' && method !== 'none') {
    return `${library} runs in the browser, which cannot keep a secret or a key: it needs a public client.`
  }
  if (methods?.includes(method) === false) {
    return `${library} does not support this authentication method. Use --auth-method ${methods.join(' or ')}.`
  }
  const duty = cannot.map(name => DUTIES[name]).find(([, isRequired]) => isRequired(app))
  if (duty !== undefined) return `${library} cannot ${duty[0]}, which this client requires.`
  return method === 'private_key_jwt' ? `The client signs with its private key: see ${keys} of ${library}.` : null
}

/** @param library its name, which is known */
export function findLibrary (library: string): Library {
  // `!`: callers pass only known names.
  return libraries.find(({ name }) => name === library)!
}
