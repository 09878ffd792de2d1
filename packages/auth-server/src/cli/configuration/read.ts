import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { readFileSync } from 'node:fs'
import { parseDocument } from 'yaml'
import { refuseCallback } from '../../oauth/redirect-uri.js'
import { arePublic } from '../client-grants.js'
import { refuseClientId, refuseDefaultScope, refuseResource } from '../client-rules.js'
import { parsePolicy } from '../implicit-policy.js'
import { Refusal, refuseFor } from '../refusal.js'
import { refuseGrants } from '../refuse-grants.js'
import { escapeUnshowable, quote, refuseName } from '../text.js'
import { ClientEntry, ClientsFile } from './clients-file.js'
import { complete } from './entry.js'

/** Reads a file of apps, YAML or JSON; `-` is standard input. @throws Refusal with all that is wrong */
export function readClients (file: string): ClientEntry[] {
  const value = parse(file)
  const entries = entriesOf(value)
  const ids = entries.flatMap(({ clientId }) => typeof clientId === 'string' ? [clientId] : [])
  refuseFor(...refuseShape(value), ...entries.flatMap(refuse), ...duplicates(ids))
  // as: nothing was wrong with its shape.
  return (value as ClientsFile).clients.map(complete)
}

function parse (file: string): unknown {
  const text = attempt(file, () => readFileSync(file === '-' ? 0 : file, 'utf8'))
  const document = attempt(file, () => parseDocument(text, { uniqueKeys: true }))
  refuseFor(...document.errors.map(({ message }) => `${nameOf(file)} is not YAML. ${message}`))
  // A few aliases of aliases can stand for more than there is memory.
  return attempt(file, () => document.toJS({ maxAliasCount: 100 }))
}

function attempt<T> (file: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw new Refusal(`${nameOf(file)} cannot be read: ${cause instanceof Error ? cause.message : cause}.`, { cause })
  }
}

function nameOf (file: string): string {
  return file === '-' ? 'Standard input' : file
}

/** What is not as the schema has it, each place once, by client_id where there is one. */
function refuseShape (value: unknown): string[] {
  const entries = entriesOf(value)
  const sentences = new Map<string, string>()
  for (const { path, message } of Value.Errors(ClientsFile, value)) {
    const [, index = '', within] = /^\/clients\/(\d+)\/(.*)$/.exec(path) ?? []
    const clientId = entries[Number(index)]?.clientId
    const place = within === undefined || typeof clientId !== 'string' ? escapeUnshowable(path.slice(1)) : `${quote(clientId)}: ${escapeUnshowable(within)}`
    if (!sentences.has(path)) sentences.set(path, `${place === '' ? 'The file' : place.replaceAll('/', '.')}: ${message}.`)
  }
  return [...sentences.values()]
}

/** The entries of a file, whatever they are. */
function entriesOf (value: unknown): Array<Record<string, unknown>> {
  // as: any object may have it, and of what is none nothing is looked at.
  const clients = (value as { clients?: unknown } | null)?.clients
  return Array.isArray(clients) ? clients.map(entry => ({ ...entry })) : []
}

/** What of an entry is as the schema has it: the rest is refused already. */
function keepFitting (entry: Record<string, unknown>): Partial<ClientsFile['clients'][number]> {
  const fits = ([name, schema]: [string, TSchema]) => entry[name] !== undefined && Value.Check(schema, entry[name])
  return Object.fromEntries(Object.entries(ClientEntry.properties).filter(fits).map(([name]) => [name, entry[name]]))
}

function refuse (entry: Record<string, unknown>): string[] {
  const fitting = keepFitting(entry)
  const { clientId, name, callbacks = [], resources = [], defaultScope = '', implicit, grantTypes = [], tokenEndpointAuthMethod = 'none', jwks = null } = fitting
  // These are judged together: where one is refused already, the others would seem not to go with it.
  const isWhole = ['grantTypes', 'tokenEndpointAuthMethod', 'jwks'].every(field => field in fitting || entry[field] === undefined)
  const reasons = [
    clientId === undefined ? undefined : refuseClientId(clientId),
    name === undefined ? undefined : refuseName('name', name),
    ...callbacks.map(uri => about(uri, refuseCallback(uri))),
    refuseDefaultScope(defaultScope),
    ...resources.map(uri => about(uri, refuseResource(uri))),
    refusePolicy(implicit),
    ...!isWhole ? [] : refuseGrants({ grantTypes, tokenEndpointAuthMethod, jwks: jwks === null ? null : JSON.stringify(jwks) }),
    jwks === null || arePublic(jwks.keys) ? undefined : 'The keys must be public ones alone.'
  ]
  const who = clientId === undefined ? '' : `${quote(clientId)}: `
  return reasons.flatMap(reason => reason === undefined ? [] : [`${who}${reason}`])
}

function about (uri: string, reason: string | undefined): string | undefined {
  return reason && `${quote(uri)}: ${reason}`
}

function refusePolicy (policy = 'allowed'): string | undefined {
  try {
    parsePolicy(policy)
    return undefined
  } catch (error) {
    return `implicit: ${error instanceof Error ? error.message : error}`
  }
}

function duplicates (ids: readonly string[]): string[] {
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))].map(id => `${quote(id)} is there twice.`)
}
