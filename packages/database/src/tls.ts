import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import type { ConnectOptions } from './dialect.js'

/**
 * The driver's TLS options: no TLS, or TLS that verifies the server's certificate and its name or address.
 * @throws if the CA file cannot be read or contains no certificate
 */
export function tlsOptions (url: string, { tls, tlsCa }: Pick<ConnectOptions, 'tls' | 'tlsCa'>): ConnectionOptions | false {
  if (!tls) return false
  return {
    ...(tlsCa === undefined ? {} : { ca: readCa(tlsCa) }),
    // For IP addresses, which the driver does not pass: Node.js would expect `localhost`.
    host: new URL(url).hostname.replace(/^\[(.*)\]$/, '$1'),
    rejectUnauthorized: true
  }
}

function readCa (path: string): string {
  try {
    const text = readFileSync(path, 'utf8')
    // Throws without a certificate, which Node.js would report only when it connects.
    return new X509Certificate(text) && text
  } catch (cause) {
    throw new Error(`DATABASE_TLS_CA must be the path of a PEM file with a certificate; ${path} is not.`, { cause })
  }
}

/** Explains a TLS error in a sentence; `undefined` for other errors. */
export function explainTls (error: unknown): string | undefined {
  // as: TLS errors have a code.
  const { code = '', message = '' } = error as { code?: string, message?: string }
  if (/does not support SSL/.test(message)) return 'PostgreSQL does not accept TLS, which DATABASE_TLS=on requires. Turn ssl on there.'
  if (/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/.test(code)) {
    return `The certificate of PostgreSQL is for another name than the host in DATABASE_URL. ${message}`
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_|INVALID_CA/.test(code)) {
    return `The certificate of PostgreSQL cannot be verified (${code}). Set DATABASE_TLS_CA to the certificate of the authority that signed it.`
  }
  return undefined
}
