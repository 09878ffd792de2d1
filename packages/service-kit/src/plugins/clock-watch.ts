import fp from 'fastify-plugin'
import { CLOCK_LEEWAY_S } from '../clock-leeway.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** How this machine's clock differs from others, if by more than a minute, for readiness; else `undefined`. */
    clockFault: () => string | undefined
  }
}

/** Clocks that this machine's clock should agree with, by name: how many seconds each is ahead; `null` while unknown. */
interface ClockWatchOptions {
  others: Readonly<Record<string, () => number | null>>
}

/** How often they are compared, in milliseconds. */
const INTERVAL_MS = 10_000

/** Compares this machine's clock with others: a log line when they differ by more than a minute, and one when they agree again. */
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
    if (isWrong) {
      fastify.log.warn(
        { clock: fastify.clockFault() },
        'this machine\'s clock is wrong, or the clocks that it is compared with are'
      )
    } else fastify.log.info('this machine\'s clock agrees with the others again')
  }, INTERVAL_MS).unref()
  fastify.addHook('onClose', async () => clearInterval(timer))
}, { name: 'clock-watch', fastify: '5.x' })
