import { setTimeout } from 'node:timers/promises'
import type { Stack } from '../stack.js'
import { SERVICES } from './installation.js'
import type { Fault } from './suffer.js'

/** Services killed again and again in the middle of their work, and started again: both in every round, or in turn. */
export function kills (stack: Stack, rounds: number, where: string, inTurn = false): Fault {
  return {
    name: `${inTurn ? 'one service or the other' : 'both services'} killed (SIGKILL) ${rounds} times, ${where}`,
    lasts: 0,
    begin: async () => {
      for (let round = 0; round < rounds; round++) {
        await setTimeout(50 + 150 * Math.random())
        const killed = SERVICES.filter((_, index) => !inTurn || index === round % SERVICES.length)
        await Promise.all(killed.map(name => stack.end(name, 'SIGKILL')))
        await Promise.all(killed.map(name => stack.start(name)))
      }
    },
    end: () => {},
    // Before it has fetched the keys, customer-service says 503.
    allowed: { 'auth-server': [0], 'customer-service': [0, 503] },
    untilFelt: false
  }
}
