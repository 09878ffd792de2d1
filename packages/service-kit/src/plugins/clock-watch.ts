import fp from 'fastify-plugin'
import { CLOCK_LEEWAY_S } from '../clock-leeway.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** For readiness: how this machine's clock differs from others by more than a minute. */
    clockFault: () => string | undefined
  }
}

interface ClockWatchOptions {
  /** Other clocks, by name: seconds that each is ahead; `null` while unknown. */
  others: Readonly<Record<string, () => number | null>>
}

const INTERVAL_MS = 10_000

/** Logs when this machine's clock and another one differ by more than a minute, and when they agree again. */
export default fp<ClockWatchOptions>(async function clockWatch (fastify, { others }) {
  let isWrong = false
  const differences = () => Object.entries(others)
    .map(([name, ahead]) => ({ name, ahead: Math.round(ahead() ?? 0) }))
    .filter(({ ahead }) => Math.abs(ahead) > CLOCK_LEEWAY_S)

  fastify.decorate('clockFault', () => {
    const sentences = differences().map(({ name, ahead }) => `${Math.abs(ahead)} s ${ahead > 0 ? 'behind' : 'ahead of'} the ${name}`)
    return sentences.length === 0 ? undefined : sentences.join(', ')
  })
  const timer = setInterval(() => {
    const found = differences()
    if ((found.length > 0) === isWrong) return
    isWrong = !isWrong
    if (!isWrong) fastify.log.info('this machine\'s clock agrees with the others again')
    else fastify.log.warn({ clock: fastify.clockFault() }, 'this machine\'s clock is wrong, or the clocks that it is compared with are')
  }, INTERVAL_MS).unref()
  fastify.addHook('onClose', async () => clearInterval(timer))
}, { name: 'clock-watch', fastify: '5.x' })
