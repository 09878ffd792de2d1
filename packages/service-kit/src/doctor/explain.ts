import { FetchError, classifyFailure, type FailureCode } from '../outgoing/failure.js'

/** How to name a fetched document in sentences. */
export interface Asked {
  /** As in "{what} at https://… cannot be reached". */
  readonly what: string
  readonly url: string
  /** The setting that names the address. */
  readonly setting: string
  /** Timeout of the request, in seconds. Default: 5. */
  readonly seconds?: number
}

/** Explains why a document could not be fetched. */
export function explain ({ what, url, setting, seconds = 5 }: Asked, error: unknown): [sentence: string, remedy: string] {
  const { protocol, hostname, host, port, origin, pathname } = new URL(url)
  const subject = `${what} at ${origin}${pathname}`
  const detail = error instanceof FetchError ? error.detail : ''
  const texts: Record<FailureCode, [string, string]> = {
    'unknown host': [
      `cannot be reached: the name ${hostname} is unknown here.`,
      `Check the spelling of ${setting}. Between containers it is the name of the service, such as http://auth-server:3000.`
    ],
    refused: [
      `cannot be reached: nothing listens on ${host}.`,
      `Start it, or correct host and port in ${setting}. Inside a container, localhost is that container alone.`
    ],
    unreachable: [`cannot be reached: there is no route to ${hostname}.`, `Check the network between the two, and ${setting}.`],
    timeout: [`does not respond within ${seconds} s.`, `Check whether a firewall drops the connection to ${host}, and ${setting}.`],
    'cut off': [
      'cannot be reached: the connection was closed without a response.',
      protocol === 'http:'
        ? `If ${host} speaks TLS, set ${setting} to https://; else look into its log.`
        : `Check what listens on ${host}, and its log.`
    ],
    certificate: [
      `cannot be trusted: the TLS certificate of ${host} was signed by an unknown authority.`,
      'Set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority, or give that server a certificate of a public authority.'
    ],
    'certificate ended': [
      `cannot be trusted: the TLS certificate of ${host} has expired, or is not valid yet.`,
      'Renew it there; if it is new, check the clock here.'
    ],
    'certificate of another': [
      `cannot be trusted: the TLS certificate of ${host} is for other names than ${hostname}.`,
      `Set ${setting} to a name in the certificate, or add ${hostname} to it.`
    ],
    'no tls': [
      `cannot be reached: ${host} does not speak TLS, or no version that we support.`,
      `Set ${setting} to the port that speaks TLS, or to http:// on a private network.`
    ],
    'no http': [
      `cannot be reached: ${host} does not speak HTTP.`,
      `Set ${setting} to https:// if that port speaks TLS, or to another port.`
    ],
    port: [
      `cannot be reached: no client connects to port ${port} (Fetch standard, "bad port").`,
      `Let that server listen on another port, and set ${setting} to it.`
    ],
    redirect: [
      `leads elsewhere, to ${short(detail)}, and redirects are not followed.`, `Set ${setting} to the address where it really is.`
    ],
    status: [
      `answers with status ${detail}.`,
      Number(detail) >= 500
        ? 'Look into the log of that server.'
        : `Check the path of ${setting}, and what a proxy in front of it does with that path.`
    ],
    html: [
      `is a page (HTML, status ${detail}) and not JSON.`,
      `Something else answers there: a proxy, a sign-in page, an app. Check the path of ${setting}, and let a proxy pass it on.`
    ],
    'no json': ['is not JSON.', `Check the path of ${setting}.`],
    'too large': ['has more than 64 KiB.', `Check the path of ${setting}.`],
    'no keys': ['holds no keys.', `Check the path of ${setting}, and the log of that server.`],
    'no revocations': ['is no list of revoked access.', `Check the path of ${setting}.`],
    other: [`cannot be reached: ${short(rootMessage(error))}.`, `Check ${setting}.`]
  }
  const [sentence, remedy] = texts[classifyFailure(error)]
  return [`${subject} ${sentence}`, remedy]
}

/** Truncates text that other servers wrote. */
export function short (text: string, longest = 200): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

function rootMessage (error: unknown): string {
  const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined }
  return cause instanceof Error ? cause.message : message
}
