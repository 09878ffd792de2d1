import { setTimeout } from 'node:timers/promises'
import { replica } from '../replicas/fleet.js'
import type { Stack } from '../stack.js'
import { run, SERVICES, type Databases } from './installation.js'
import type { Fault } from './workload.js'

/** customer-service fetches keys for an unknown `kid` at most this often, in milliseconds. */
const REFETCH = 31_000

/** What happens to auth-server, and customer-service is to go on. */
export function faultsOfIssuer (stack: Stack, databases: Databases, lasts: number): Fault[] {
  const away = {
    begin: () => stack.end('auth-server', 'SIGKILL'),
    allowed: { 'auth-server': [0], 'customer-service': [] },
    untilFelt: false
  }
  return [
    { ...away, name: 'auth-server away', lasts, end: () => stack.start('auth-server') },
    {
      ...away,
      name: 'auth-server away, and back with new keys',
      lasts: REFETCH,
      end: async () => {
        await run(databases['auth-server'], 'DELETE FROM signing_key')
        await stack.start('auth-server')
      }
    }
  ]
}

/** Of replicas that were started together, one of each service is stopped and started again, behind proxies: no request may fail. */
export function stops (fleet: Stack, lasts: number): Fault {
  return {
    name: '4 replicas started together, some stopped (SIGTERM)',
    lasts: 0,
    begin: async () => {
      for (const service of SERVICES) {
        const code = await fleet.end(replica(service, 1), 'SIGTERM')
        if (code !== 0) throw new Error(`${service} ended with ${code} on SIGTERM.`)
        await setTimeout(lasts / 2)
        await fleet.start(replica(service, 1))
      }
    },
    end: () => {},
    allowed: { 'auth-server': [], 'customer-service': [] },
    untilFelt: false
  }
}
