import { Option } from 'commander'
import { libraries } from './libraries/index.js'
import { DUTIES, type App } from './libraries/library.js'

/** What {@link libraryOption} sets. */
export interface LibraryOptions { readonly for?: string }

/** The option `--for`. */
export function libraryOption (): Option {
  return new Option('--for <library>', 'print the settings of this library for the app, to sign people in')
    .choices(libraries.map(({ name }) => name)).conflicts('json')
}

/** The settings of a library for an app. */
export function librarySettings (library: string, app: App): string {
  return find(library).settings(app)
}

/** Why an app cannot use a library, in a sentence; `null` if it can, or if none is chosen. */
export function whyNotLibrary ({ for: library }: LibraryOptions, app: Omit<App, 'id'>): string | null {
  if (library === undefined) return null
  const { keys, cannot } = find(library)
  const { grantTypes, callbacks, tokenEndpointAuthMethod: method } = app
  if (!grantTypes.includes('authorization_code') || callbacks.length === 0) {
    return `${library} needs an app with a callback and the authorization code grant.`
  }
  if (keys === 'in the browser' && method !== 'none') {
    return `${library} runs in the browser, which cannot keep a secret or a key: it needs a public app.`
  }
  const duty = cannot.map(name => DUTIES[name]).find(([, isRequired]) => isRequired(app))
  if (duty !== undefined) return `${library} cannot ${duty[0]}, as this app must.`
  return method === 'private_key_jwt' ? `The app signs with a key that only it has: see ${keys} of ${library}.` : null
}

function find (library: string) {
  // `!`: commander refuses other choices.
  return libraries.find(({ name }) => name === library)!
}
