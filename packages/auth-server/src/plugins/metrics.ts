import fp from 'fastify-plugin'
import type { GaugeConfiguration } from 'prom-client'
import type { Config } from '../config.js'
import type { KeyRing } from '../keys/key-ring.js'
import type { Stores } from '../stores/stores.js'
import { logoutSent, mailEnded, requestRefused, rowsRemoved, signInEnded, tokenIssued } from '../telemetry/events.js'
import { readVersion } from '@frontdesk/service-kit/telemetry/version'
import metrics, { type MetricsOptions } from '@frontdesk/service-kit/plugins/metrics'

interface Options { config: Config, keys: KeyRing, stores: Stores }

/** The metrics of auth-server. */
export default fp<Options>(async function authMetrics (fastify, { config, keys, stores }) {
  const { metricsHost: host, metricsPort: port, auditMaxRows } = config
  const instruments: MetricsOptions['instruments'] = ({ Counter, Gauge, Histogram }, registers) => {
    const gauge = (configuration: GaugeConfiguration<string>) => new Gauge({ ...configuration, registers })
    const counter = (name: string, help: string, ...labelNames: string[]) => new Counter({ name, help, labelNames, registers })
    const signIns = counter('frontdesk_sign_ins_total', 'Attempts to sign in.', 'outcome')
    const tokens = counter('frontdesk_access_tokens_issued_total', 'Access tokens issued.', 'grant', 'client')
    const refusals = counter('frontdesk_refusals_total', 'Refused requests, by error code.', 'error')
    const emails = counter('frontdesk_mails_total', 'Emails, by outcome.', 'outcome')
    const logouts = counter('frontdesk_logout_tokens_total', 'Attempts to send a logout token; dropped: the last one failed.', 'client', 'outcome')
    const batches = new Histogram({
      name: 'frontdesk_clean_up_batch_rows',
      help: 'Expired rows removed by a statement.',
      labelNames: ['table'],
      buckets: [0, 1, 10, 100, 499, 500],
      registers
    })
    gauge({
      name: 'frontdesk_signing_keys',
      help: 'Signing keys.',
      labelNames: ['state'],
      collect () {
        this.reset()
        for (const { state } of keys.describe()) this.inc({ state })
      }
    })
    gauge({
      name: 'frontdesk_signing_key_age_seconds',
      help: 'Age of the key that signs.',
      collect () {
        const signing = keys.describe().find(({ state }) => state === 'signing')
        if (signing !== undefined) this.set((fastify.clock.now().getTime() - signing.createdAt.getTime()) / 1_000)
      }
    })
    gauge({
      name: 'frontdesk_audit_used_ratio',
      help: 'Rows of the audit trail, as a share of AUDIT_MAX_ROWS.',
      // Keeps the last value while the database does not respond.
      async collect () { await stores.audit.count().then(rows => this.set(rows / auditMaxRows), () => undefined) }
    })
    gauge({
      name: 'frontdesk_clock_difference_seconds',
      help: 'How far another clock is ahead of this machine\'s.',
      labelNames: ['clock'],
      collect () {
        const ahead = stores.clock.ahead()
        if (ahead !== null) this.set({ clock: 'database' }, ahead)
      }
    })
    gauge({
      name: 'frontdesk_database_connections',
      help: 'Connections in the PostgreSQL pool, and requests waiting for one.',
      labelNames: ['state'],
      collect () { for (const [state, count] of Object.entries(stores.pool() ?? {})) this.set({ state }, count) }
    })
    return [
      signInEnded.subscribe(({ outcome }) => signIns.inc({ outcome })),
      tokenIssued.subscribe(({ grantType, client }) => tokens.inc({ grant: grantType, client })),
      mailEnded.subscribe(({ outcome }) => emails.inc({ outcome })),
      requestRefused.subscribe(({ error }) => refusals.inc({ error })),
      logoutSent.subscribe(({ client, outcome }) => logouts.inc({ client, outcome })),
      rowsRemoved.subscribe(({ table, rows }) => batches.observe({ table }, rows))
    ]
  }
  await fastify.register(metrics, {
    host, port, service: 'auth-server', version: readVersion(new URL('../../../package.json', import.meta.url)), instruments
  })
}, { name: 'auth-metrics', fastify: '5.x' })
