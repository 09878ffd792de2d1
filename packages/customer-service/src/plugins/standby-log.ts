import fp from 'fastify-plugin'
import { standbyAsked } from '../telemetry/events.js'

/** Logs when lists are read from the primary because the standby fails or lags, and when the standby is used again. */
export default fp(async function standbyLog (fastify) {
  let isUsed = true
  const unsubscribe = standbyAsked.subscribe(({ outcome, error }) => {
    if (outcome === 'paused' || outcome === 'busy' || isUsed === (outcome === 'standby')) return
    isUsed = outcome === 'standby'
    if (isUsed) fastify.log.info('reading lists from the standby again')
    else fastify.log.warn({ err: error }, `lists are read from the primary: the standby ${outcome === 'failed' ? 'failed' : 'lags behind'}`)
  })
  fastify.addHook('onClose', unsubscribe)
}, { name: 'standby-log', fastify: '5.x' })
