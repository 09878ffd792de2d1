import type { Config } from '../../config.js'
import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'
import type { Client } from '../../oauth/client.js'
import { isSelfRegistered } from '../../oauth/identity.js'
import { whyNotCallback } from '../../oauth/redirect-uri.js'
import { needsCallback, whyNotResource } from '../../registration/client-rules.js'
import { commandOf, isGrantless } from '../client/warnings.js'
import { quote } from '@frontdesk/service-kit/showable'

/** Checks every client against the registration rules: rows may be older than the rules, or written by hand. No requests are sent. */
export function * checkClients (
  clients: readonly Client[], { production, callbackSchemes }: Pick<Config, 'production' | 'callbackSchemes'>, now: Date
): Generator<Finding> {
  const { ok, warning, wrong } = findings('clients')
  if (clients.length === 0) {
    return yield warning('No clients are registered, so no token can be requested.', 'Register one: frontdesk-auth client add --help')
  }
  let areValid = true
  // Self-registered clients are not the operator's mistake, and there can be thousands.
  const enabled = clients.filter(client => client.disabledAt === null && !isSelfRegistered(client))
  for (const client of enabled) {
    const { id, callbacks, resources } = client
    const name = `The client ${quote(id)}`
    const again = `Remove it and add it again with valid ones: frontdesk-auth client show ${quote(id)}`
    const judged = [
      ...callbacks.map(uri => ['has the callback', uri, whyNotCallback(uri, callbackSchemes)] as const),
      ...resources.map(uri => ['may request the resource', uri, whyNotResource(uri)] as const)
    ]
    const found = [
      ...judged.filter(([,, reason]) => reason !== null)
        .map(([verb, uri, reason]) => wrong(`${name} ${verb} ${quote(uri)}. ${reason}`, again)),
      ...callbacks.length === 0 && needsCallback(client)
        ? [warning(`${name} has no callback, so it cannot receive responses.`, again)]
        : [],
      ...isGrantless(client, now)
        ? [warning(`${name} has no usable grant, so it gets no token.`, `Add one, or disable it: ${commandOf(client)}`)]
        : [],
      ...callbacks.filter(uri => production && uri.startsWith('http:')).map(uri => warning(
        `${name} has the callback ${quote(uri)}, which is for development.`,
        'Remove it, unless the client runs on the devices of its users.'
      ))
    ]
    if (found.length > 0) areValid = false
    yield * found
  }
  if (areValid) {
    const callbacks = enabled.flatMap(it => it.callbacks)
    yield ok(`The callbacks of every client follow the rules (${count(enabled, 'client')}, ${count(callbacks, 'callback')}).`)
  }
}

function count ({ length }: readonly unknown[], noun: string): string {
  return `${length} ${noun}${length === 1 ? '' : 's'}`
}
