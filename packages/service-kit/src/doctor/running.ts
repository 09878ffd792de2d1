import { describeMisspelled } from '../misspelled.js'
import type { ServerConfig } from '../server-settings.js'
import { readBounded } from './ask.js'
import { short } from './explain.js'
import { findings, type Finding } from './finding.js'

/** How long readiness may take, in milliseconds. */
const ANSWER_TIMEOUT_MS = 2_000

/** What the service that listens where these settings say reports in its readiness; nothing if none answers. */
export async function * checkRunning (
  { host, port, misspelled }: Pick<ServerConfig, 'host' | 'port' | 'misspelled'>
): AsyncGenerator<Finding> {
  const { warning } = findings('running')
  // Of the same settings, doctor has said it already.
  const reported = misspelled.map(describeMisspelled).join(' ')
  const address = `http://${reachable(host)}:${port}`
  for (const [check, state] of Object.entries(await fetchChecks(address))) {
    if (state !== 'ok' && state !== reported) {
      yield warning(`The service at ${address} reports "${short(check)}": ${short(String(state))}`, `See ${address}/health/ready, and its log.`)
    }
  }
}

/** @returns the checks, as far as a service of ours answers */
async function fetchChecks (address: string): Promise<object> {
  try {
    const response = await fetch(`${address}/health/ready`, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })
    // as: any JSON may be there.
    const { checks } = JSON.parse((await readBounded(response)).toString()) as { checks?: unknown }
    return checks instanceof Object ? checks : {}
  } catch {
    return {}
  }
}

/** An address of this machine for a service that listens on all of them. */
function reachable (host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
