import { describeMisspelled } from '../misspelled.js'
import type { ServerConfig } from '../server-settings.js'
import { readBounded } from '../outgoing/fetch-json.js'
import { short } from './explain.js'
import { findings, type Finding } from './finding.js'
import { memberOf } from './member-of.js'

/** Time limit for a response of the service, in milliseconds. */
const RESPONSE_TIMEOUT_MS = 2_000

/** A document that publishes settings: the member of each setting, and the value that doctor has read. */
interface PublishedSettings {
  readonly path: string
  readonly settings: Readonly<Record<string, { readonly member: string, readonly value: string }>>
}

const { ok, warning, unchecked } = findings('running')

/**
 * Compares these settings with those that the running service publishes, and shows the problems in its readiness.
 * @param published `undefined`: the service publishes no settings
 */
export async function * checkRunning (
  { host, port, misspelled }: Pick<ServerConfig, 'host' | 'port' | 'misspelled'>,
  published?: PublishedSettings
): AsyncGenerator<Finding> {
  // The service listens on some free port.
  if (port === 0) return
  const address = `http://${reachable(host)}:${port}`
  const checks = memberOf(await readDocument(`${address}/health/ready`), 'checks')
  if (!(checks instanceof Object)) {
    yield unchecked(
      `No service runs at ${address}, so its settings were not compared with these.`,
      'If it runs, run doctor with the environment of the service: at least with its HOST and PORT.'
    )
    return
  }
  if (published !== undefined) yield * compare(address, published)
  // Skips what doctor has already reported about the same settings.
  const reported = misspelled.map(describeMisspelled).join(' ')
  for (const [check, state] of Object.entries(checks)) {
    if (state !== 'ok' && state !== reported) {
      yield warning(`The service at ${address} reports "${short(check)}": ${short(String(state))}`,
        `See ${address}/health/ready, and its log.`)
    }
  }
}

async function * compare (address: string, { path, settings }: PublishedSettings): AsyncGenerator<Finding> {
  const document = await readDocument(address + path)
  const names = Object.keys(settings)
  const different = Object.entries(settings).flatMap(([name, { member, value }]) => {
    const [theirs] = [memberOf(document, member)].flat()
    return theirs === value ? [] : [`${name} is ${short(String(theirs ?? 'not published'))} there, and ${value} here`]
  })
  yield different.length === 0
    ? ok(`The service at ${address} runs with the same ${names.join(' and ')}.`)
    : warning(
      `The service at ${address} runs with other settings: ${different.join('; ')}.`,
      'These findings are about the settings of this command. Run doctor with the environment of the service.'
    )
}

/** @returns `undefined` if there is no JSON document */
async function readDocument (url: string): Promise<unknown> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) })
    return JSON.parse((await readBounded(response)).toString())
  } catch {
    return undefined
  }
}

/** An address to connect to a service that listens on all addresses. */
function reachable (host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
