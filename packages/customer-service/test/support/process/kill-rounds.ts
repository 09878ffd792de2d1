import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'
import { start } from './server-process.js'

interface Rounds {
  /** Settings of the service. */
  readonly env: Record<string, string>
  /** Sends the requests of a round; rejects if the service is gone. */
  readonly send: (url: string, round: number) => Promise<unknown>
  /** Checks what the killed service has left. */
  readonly check: (round: number) => Promise<void>
}

/** Kills a service (SIGKILL) at a random time of each round's requests, whose duration the first round measures. */
export async function killRounds (t: Test, rounds: number, { env, send, check }: Rounds): Promise<void> {
  let [duration, interrupted] = [0, 0]
  for (let round = 0; round <= rounds; round++) {
    const { url, child, exit } = await start(t, env)
    const began = performance.now()
    const isAnswered = send(url, round).then(() => true, () => false)
    if (round > 0) await setTimeout(Math.random() * duration)
    else if (await isAnswered) duration = performance.now() - began
    child.kill('SIGKILL')
    t.same(await exit, [null, 'SIGKILL'])
    if (!await isAnswered) interrupted++
    await check(round)
  }
  t.ok(duration > 0 && interrupted > 0, `${interrupted} of ${rounds} rounds were interrupted, within ${Math.round(duration)} ms`)
}
