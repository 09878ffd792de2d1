import type { SpanExporter } from '@opentelemetry/sdk-trace-node'
import fp from 'fastify-plugin'
import { setTimeout } from 'node:timers/promises'

/** Exported attributes of spans. Paths, queries, addresses and error texts can have private data. */
const ALLOWED = new Set([
  'http.request.method', 'http.route', 'http.response.status_code', 'service.name', 'fastify.root', 'fastify.type', 'hook.name',
  'gen_ai.tool.name'
])

/** How long shutdown waits for the last spans. */
const FLUSH_TIMEOUT_MS = 1_000

/**
 * Records a span for each request, in the caller's trace (W3C Trace Context), and exports it as OTLP over HTTP to
 * `OTEL_EXPORTER_OTLP_ENDPOINT`. The other `OTEL_…` variables apply, too. Loads nothing unless it is enabled.
 */
export default fp<{ enabled: boolean, service: string, version: string }>(async function tracing (fastify, { enabled, service, version }) {
  if (!enabled) return
  const [{ FastifyOtelInstrumentation }, { BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, {
    defaultResource, detectResources, envDetector, resourceFromAttributes
  }] = await Promise.all([
    import('@fastify/otel'), import('@opentelemetry/sdk-trace-node'), import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources')
  ])
  const named = resourceFromAttributes({ 'service.name': service, 'service.version': version })
  const provider = new NodeTracerProvider({
    resource: defaultResource().merge(named).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(withoutSecrets(new OTLPTraceExporter()))]
  })
  provider.register()
  const instrumentation = new FastifyOtelInstrumentation({ instrumentHooks: false, recordExceptions: false })
  instrumentation.setTracerProvider(provider)
  await fastify.register(instrumentation.plugin())
  fastify.addHook('onClose', async () => {
    await Promise.race([provider.shutdown(), setTimeout(FLUSH_TIMEOUT_MS, undefined, { ref: false })])
      .catch(error => fastify.log.warn({ err: error }, 'the last traces were not accepted'))
  })
}, { name: 'tracing', fastify: '5.x' })

function withoutSecrets (exporter: SpanExporter): SpanExporter {
  return {
    export (spans, done) {
      for (const { attributes, status, events } of spans) {
        for (const name of Object.keys(attributes)) if (!ALLOWED.has(name)) delete attributes[name]
        delete status.message
        events.length = 0
      }
      exporter.export(spans, done)
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => { await exporter.forceFlush?.() }
  }
}
