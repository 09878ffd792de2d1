import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Registry } from 'prom-client'
import { jobEnded } from './periodic.js'

type Prometheus = typeof import('prom-client')

export interface MetricsOptions {
  host: string
  /** `undefined` disables metrics, and does not load prom-client. */
  port: number | undefined
  service: string
  version: string
  /** Adds the service's own instruments. @returns functions that remove them */
  instruments?: (prometheus: Prometheus, registers: Registry[]) => Array<() => void>
}

/** Upper bounds of the buckets of request durations, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Serves metrics at `/metrics` of their own port, in the Prometheus text format. */
export default fp<MetricsOptions>(async function metrics (
  fastify, { host, port, service, version, instruments = () => [] }
) {
  if (port === undefined) return
  const { default: prometheus } = await import('prom-client')
  const registry = new prometheus.Registry()
  const registers = [registry]
  prometheus.collectDefaultMetrics({ register: registry })
  new prometheus.Gauge({
    name: 'frontdesk_build_info', help: 'The version that runs; always 1.', labelNames: ['service', 'version'], registers
  }).set({ service, version }, 1)
  const requests = new prometheus.Histogram({
    name: 'http_request_duration_seconds',
    help: 'Request duration.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers
  })
  const shed = new prometheus.Counter({
    name: 'frontdesk_requests_shed_total', help: 'Requests refused immediately because of overload.', registers
  })
  fastify.addHook('onResponse', async (request, reply) => {
    if (request.admission === 'shed') shed.inc()
    // The duration of an event stream is not a response time.
    if (reply.getHeader('content-type') === 'text/event-stream') return
    requests.observe({ method: request.method, route: routeLabel(request), status: reply.statusCode }, reply.elapsedTime / 1_000)
  })
  const jobs = new prometheus.Counter({
    name: 'frontdesk_job_runs_total', help: 'Runs of periodic jobs.', labelNames: ['name', 'outcome'], registers
  })
  const ends = [jobEnded.subscribe(run => jobs.inc(run)), ...instruments(prometheus, registers)]

  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    registry.metrics().then(text => response.setHeader('content-type', registry.contentType).end(text), error => {
      fastify.log.error({ err: error }, 'metrics could not be collected')
      response.writeHead(500).end()
    })
  })
  server.listen(port, host)
  await once(server, 'listening').catch(error => {
    if (error.code === 'EADDRINUSE') {
      throw new Error(`METRICS_PORT ${port} is taken. Stop what listens there, or set METRICS_PORT to another.`)
    }
    throw new Error(`METRICS_HOST ${host} is no address of this machine. Set it to one, or to 0.0.0.0 for all.`, { cause: error })
  })
  fastify.log.info(`Metrics at http://${host}:${(server.address() as { port: number }).port}/metrics`)
  fastify.addHook('onClose', async () => {
    for (const end of ends) end()
    server.close()
    server.closeAllConnections()
  })
}, { name: 'metrics', fastify: '5.x' })

/** The route's pattern: with a label for each path, callers could create any number of labels. */
function routeLabel ({ routeOptions, is404 }: FastifyRequest): string {
  return is404 || routeOptions.url === undefined ? 'none' : routeOptions.url
}
