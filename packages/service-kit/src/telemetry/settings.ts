import { Type } from '@sinclair/typebox'

/** The settings of metrics and traces, the same in both services. */
export const telemetrySettings = {
  METRICS_PORT: Type.Optional(Type.Integer({ minimum: 0, maximum: 65535, rule: 'be a whole number from 0 to 65535', description: 'Port of the metrics, at `/metrics`; without it, nothing is measured.' })),
  METRICS_HOST: Type.String({ pattern: '^[A-Za-z0-9.:_-]+$', default: '127.0.0.1', rule: 'be an address or a host name', description: 'Address of the metrics.' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(Type.String({ pattern: '^https?://', rule: 'be an http or https address', description: 'Endpoint for traces, OTLP over HTTP; without it, none are made. The other `OTEL_…` variables apply too.' }))
}
