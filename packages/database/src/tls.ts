import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import type { ConnectOptions } from './dialect.js'

/**
 * How the driver encrypts: not at all, or with the server's certificate verified, and the name or address in it.
 * @throws if the file of the CA cannot be read or holds no certificate
 */
export function tlsOptions (url: string, { tls, tlsCa }: Pick<ConnectOptions, 'tls' | 'tlsCa'>): ConnectionOptions | false {
  if (!tls) return false
  return {
    ...(tlsCa === undefined ? {} : { ca: readCa(tlsCa) }),
    // The driver names no IP address to be verified, and Node.js would look for `localhost`.
    host: new URL(url).hostname.replace(/^\[(.*)\]$/, '$1'),
    rejectUnauthorized: true
  }
}

function readCa (path: string): string {
  try {
    const text = readFileSync(path, 'utf8')
    // Throws if there is no certificate in it; Node.js would trust no server and report it only when it connects.
    return new X509Certificate(text) && text
  } catch (cause) {
    throw new Error(`DATABASE_TLS_CA must be the path of a PEM file with a certificate; ${path} is not.`, { cause })
  }
}

/** A sentence about a connection that failed for want of trust, `undefined` if it failed otherwise. */
export function explainTls (error: unknown): string | undefined {
  // as: what TLS throws has a code.
  const { code = '', message = '' } = error as { code?: string, message?: string }
  if (/does not support SSL/.test(message)) return 'PostgreSQL takes no TLS, and DATABASE_TLS=on demands it. Turn ssl on there.'
  if (/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/.test(code)) return `The certificate of PostgreSQL is for another name than that in DATABASE_URL. ${message}`
  if (/CERT|SELF_SIGNED|UNABLE_TO_|INVALID_CA/.test(code)) return `The certificate of PostgreSQL cannot be verified (${code}). Set DATABASE_TLS_CA to the certificate of who signed it.`
  return undefined
}
