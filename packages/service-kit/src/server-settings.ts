import { Type, type Static } from '@sinclair/typebox'
import { isNetwork } from './address.js'
import type { Misspelled } from './misspelled.js'
import { integer, oneOf, parseList, text, type SettingsRules } from './settings.js'

/** An address of this machine to listen on; loopback by default. */
export function hostSetting (description: string) {
  return text(description, 'be an address or a host name', { pattern: '^[A-Za-z0-9.:_-]+$', default: '127.0.0.1' })
}

/** A port to listen on. */
export function portSetting (description: string, port?: number) {
  return integer(description, { minimum: 0, maximum: 65_535, ...port !== undefined && { default: port } })
}

/** Where a service listens. @param port its default port */
export function listenSettings (port: number) {
  return {
    HOST: hostSetting('Address to listen on.'),
    PORT: portSetting('Port to listen on. 0 selects a free port.', port)
  }
}

/** Settings for operators. */
export const operationSettings = {
  TRUST_PROXY: text(
    'Comma-separated addresses of the proxies whose `X-Forwarded-For` is trusted.',
    'be false, or a comma-separated list of addresses and networks such as 10.0.0.0/8 or loopback; true would trust every caller',
    { default: 'false' }
  ),
  METRICS_PORT: Type.Optional(portSetting('Port for metrics, at `/metrics`. Without it, nothing is measured.')),
  METRICS_HOST: hostSetting('Address for metrics.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    text(
      'Endpoint for traces (OTLP over HTTP). Without it, tracing is off. The other `OTEL_…` variables also apply.',
      'be an http or https address',
      { pattern: '^https?://', secret: 'in address' }
    )
  ),
  LOG_LEVEL: oneOf('Minimum log level.', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  ENVIRONMENT: oneOf('`production` rejects settings meant for development.', ['development', 'production'])
}

type ServerSettings = Static<ReturnType<typeof Type.Object<ReturnType<typeof listenSettings> & typeof operationSettings>>>

/** Rules of {@link listenSettings} and {@link operationSettings}. */
export const serverRules = {
  forms: {
    TRUST_PROXY: (value: string) => value === 'false' || (parseList(value).length > 0 && parseList(value).every(isNetwork))
  },
  relations: [{
    names: ['METRICS_PORT', 'PORT'],
    whyNot: ({ METRICS_PORT, PORT }) => METRICS_PORT === PORT ? 'METRICS_PORT must be another port than PORT.' : null
  }]
} satisfies SettingsRules<ServerSettings>

/** Values of {@link listenSettings} and {@link operationSettings}. */
export interface ServerConfig {
  readonly host: string
  readonly port: number
  /** Addresses and networks of the proxies. */
  readonly trustProxy: false | string[]
  /** `undefined`: no metrics. */
  readonly metricsPort: number | undefined
  readonly metricsHost: string
  readonly tracing: boolean
  readonly logLevel: ServerSettings['LOG_LEVEL']
  readonly production: boolean
  /** Environment variables that resemble a setting. */
  readonly misspelled: readonly Misspelled[]
}

/** Converts settings that {@link serverRules} accept. */
export function readServer (settings: ServerSettings): Omit<ServerConfig, 'misspelled'> {
  return {
    host: settings.HOST,
    port: settings.PORT,
    trustProxy: settings.TRUST_PROXY === 'false' ? false : parseList(settings.TRUST_PROXY),
    metricsPort: settings.METRICS_PORT,
    metricsHost: settings.METRICS_HOST,
    tracing: settings.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    logLevel: settings.LOG_LEVEL,
    production: settings.ENVIRONMENT === 'production'
  }
}
