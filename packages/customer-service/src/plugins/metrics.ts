import fp from 'fastify-plugin'
import type { GaugeConfiguration } from 'prom-client'
import type { Config } from '../config.js'
import type { Keys } from '../keys/keys.js'
import type { Revocations } from '../revocations/revocations.js'
import {
  keysFetched, proofChecked, requestCounted, revocationsFetched, standbyAsked, streamsCounted, tokenChecked, toolCalled, webhooksLooked
} from '../telemetry/events.js'
import type { Event } from '@frontdesk/service-kit/telemetry/event'
import { readVersion } from '@frontdesk/service-kit/telemetry/version'
import metrics, { type MetricsOptions } from '@frontdesk/service-kit/plugins/metrics'

interface Options {
  config: Config
  keys: Keys | null
  revocations: Revocations | null
  pool: () => Record<string, number> | null
  clocks: Record<string, () => number | null>
}

/** The metrics of customer-service. */
export default fp<Options>(async function customerMetrics (
  fastify,
  { config: { metricsHost: host, metricsPort: port }, keys, revocations, pool, clocks }
) {
  const instruments: MetricsOptions['instruments'] = ({ Counter, Gauge }, registers) => {
    const gauge = (configuration: GaugeConfiguration<string>) => new Gauge({ ...configuration, registers })
    /** Counts events by their outcome. */
    const count = <T extends { outcome: string }>(event: Event<T>, name: string, help: string) => {
      const counter = new Counter({ name, help, labelNames: ['outcome'], registers })
      return event.subscribe(({ outcome }) => counter.inc({ outcome }))
    }
    gauge({
      name: 'frontdesk_jwks_age_seconds',
      help: 'Time since the authorization server\'s keys were fetched, or since the start if they never were.',
      collect () { if (keys !== null) this.set(keys.fetches.ageSeconds ?? process.uptime()) }
    })
    gauge({
      name: 'frontdesk_revocations_age_seconds',
      help: 'Time since revocations were fetched, or since the start if they never were.',
      collect () { if (revocations !== null) this.set(revocations.fetches.ageSeconds ?? process.uptime()) }
    })
    gauge({
      name: 'frontdesk_revocations_entries',
      help: 'Cached entries of the revocation feed: at most four million.',
      collect () { if (revocations !== null) this.set(revocations.entries) }
    })
    gauge({
      name: 'frontdesk_clock_difference_seconds',
      help: 'How far another clock is ahead of this machine\'s.',
      labelNames: ['clock'],
      collect () {
        for (const [clock, ahead] of Object.entries(clocks)) {
          const seconds = ahead()
          if (seconds !== null) this.set({ clock }, seconds)
        }
      }
    })
    gauge({
      name: 'frontdesk_database_connections',
      help: 'Connections in the PostgreSQL pool, and requests waiting for one.',
      labelNames: ['state'],
      collect () { for (const [state, count] of Object.entries(pool() ?? {})) this.set({ state }, count) }
    })
    const calls = new Counter({
      name: 'frontdesk_mcp_tool_calls_total', help: 'Calls of tools by assistants.', labelNames: ['tool', 'outcome'], registers
    })
    const streams = gauge({ name: 'frontdesk_event_streams', help: 'Open event streams of the change feed.' })
    const behind = gauge({ name: 'frontdesk_webhook_events_behind', help: 'Events still to be delivered.', labelNames: ['webhook'] })
    return [
      webhooksLooked.subscribe(({ behind: counts }) => {
        behind.reset()
        for (const [webhook, count] of Object.entries(counts)) behind.set({ webhook }, count)
      }),
      toolCalled.subscribe(call => calls.inc(call)),
      streamsCounted.subscribe(({ open }) => streams.set(open)),
      count(tokenChecked, 'frontdesk_token_checks_total', 'Access tokens checked.'),
      count(proofChecked, 'frontdesk_dpop_proofs_total', 'DPoP proofs checked.'),
      count(requestCounted, 'frontdesk_rate_limit_total', 'Requests counted for the rate limit.'),
      count(keysFetched, 'frontdesk_jwks_fetches_total', 'Requests for the authorization server\'s keys.'),
      count(revocationsFetched, 'frontdesk_revocations_fetches_total', 'Requests for the authorization server\'s revocations.'),
      count(standbyAsked, 'frontdesk_standby_reads_total',
        'Lists, by where they were read: the standby; the primary, since the standby failed, is behind, was so just before, or is busy.')
    ]
  }
  await fastify.register(metrics, {
    host, port, service: 'customer-service', version: readVersion(new URL('../../../package.json', import.meta.url)), instruments
  })
}, { name: 'customer-metrics', fastify: '5.x' })
