import type { Client } from '../../oauth/client.js'
import type { MessageKey } from '../../languages/languages.js'
import { message, type Text } from '../../languages/translator.js'
import { isSelfRegistered } from '../../oauth/identity.js'
import { readLinks } from '../../registration/client-links.js'
import { withoutCovered } from '../../oauth/claims-request.js'
import { describedScopes } from '../../oauth/openid-scopes.js'

/** Texts of links, by their names in client metadata. */
const WORDS = { client_uri: 'sign-in.link-client', policy_uri: 'sign-in.link-policy', tos_uri: 'sign-in.link-terms' } as const

/** A client's links: only those on the host of its callback, which the page shows anyway, or of its metadata document. */
export function describeLinks ({ id, links, registeredBy }: Pick<Client, 'id' | 'links' | 'registeredBy'>, redirectUri: string) {
  const hosts = [redirectUri, ...registeredBy === 'document' ? [id] : []].map(uri => new URL(uri).hostname)
  const named = readLinks(links)
  // as: the names of WORDS.
  return (Object.keys(WORDS) as Array<keyof typeof WORDS>).flatMap(name => {
    const uri = named[name]
    return uri !== undefined && hosts.includes(new URL(uri).hostname) ? [{ words: WORDS[name], uri }] : []
  })
}

/** How pages describe a client. The name of a self-registered one is unverified. */
export function describeApp ({ id, name, logoName, registeredBy }: Pick<Client, 'id' | 'name' | 'logoName' | 'registeredBy'>) {
  return {
    clientName: name,
    logo: logoName,
    selfRegistered: isSelfRegistered({ registeredBy }),
    publisher: registeredBy === 'document' ? new URL(id).host : undefined
  }
}

/** Describes requested scopes: new ones, those that the user has allowed before, and those without effect. */
export function describePermissions (scope: readonly string[], before: readonly string[]) {
  const distinct = withoutCovered(scope)
  return {
    permissions: describeScope(distinct.filter(it => !before.includes(it))),
    allowed: describeScope(distinct.filter(it => before.includes(it))),
    unknown: scope.filter(it => !isKnown(it))
  }
}

/** Describes scopes in words, without repetition. Skips unknown ones. */
export function describeScope (scope: readonly string[]): MessageKey[] {
  return [...new Set(withoutCovered(scope).filter(isKnown).map(it => describedScopes[it]!))]
}

/** Describes scopes that the user cannot grant. Unknown ones stay as they are. */
export function describeWithheld (scope: readonly string[]): Text[] {
  return scope.map(it => isKnown(it) ? message(describedScopes[it]!) : it)
}

function isKnown (scope: string): boolean {
  return Object.hasOwn(describedScopes, scope)
}
