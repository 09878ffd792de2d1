import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** How this machine's clock differs from others by more than a minute, for readiness; `undefined` if it does not. */
    clockFault: () => string | undefined
  }
}

/** Clocks that this machine's should agree with, by name: seconds that each is ahead of it, `null` while that is not known. */
export interface ClockWatchOptions {
  others: Readonly<Record<string, () => number | null>>
}

/** How far clocks may differ, in seconds. */
const ALLOWED = 60
/** How often they are compared, in milliseconds. */
const INTERVAL = 10_000

/** Compares this machine's clock with others: a log line when they differ by more than a minute, and one when they agree again. */
export default fp<ClockWatchOptions>(async function clockWatch (fastify, { others }) {
  let isWrong = false
  const differences = () => Object.entries(others)
    .map(([name, ahead]) => ({ name, ahead: Math.round(ahead() ?? 0) }))
    .filter(({ ahead }) => Math.abs(ahead) > ALLOWED)

  fastify.decorate('clockFault', () => {
    const sentences = differences().map(({ name, ahead }) => `${Math.abs(ahead)} s ${ahead > 0 ? 'behind' : 'ahead of'} the ${name}`)
    return sentences.length === 0 ? undefined : sentences.join(', ')
  })
  const timer = setInterval(() => {
    const found = differences()
    if ((found.length > 0) === isWrong) return
    isWrong = !isWrong
    if (isWrong) fastify.log.warn({ clock: fastify.clockFault() }, 'the clock of this machine is wrong, or those that it is compared with are')
    else fastify.log.info('the clock of this machine agrees with the others again')
  }, INTERVAL).unref()
  fastify.addHook('onClose', async () => clearInterval(timer))
}, { name: 'clock-watch', fastify: '5.x' })
