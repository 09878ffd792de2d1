import { setTimeout } from 'node:timers/promises'
import type { Stack } from '../stack.js'
import { SERVICES } from './installation.js'
import type { Fault } from './workload.js'

/** Both services killed again and again in the middle of their work, and started again. */
export function kills (stack: Stack, rounds: number, where: string): Fault {
  return {
    name: `both services killed (SIGKILL) ${rounds} times, ${where}`,
    lasts: 0,
    begin: async () => {
      for (let round = 0; round < rounds; round++) {
        await setTimeout(50 + 150 * Math.random())
        await Promise.all(SERVICES.map(name => stack.end(name, 'SIGKILL')))
        await Promise.all(SERVICES.map(name => stack.start(name)))
      }
    },
    end: () => {},
    // Before it has fetched the keys, customer-service says 503.
    allowed: { 'auth-server': [0], 'customer-service': [0, 503] },
    untilFelt: false
  }
}
