/** What HAProxy needs to know of a server. */
interface Server { name: string, port: number, /** Port of Patroni's own HTTP interface. */ rest: number }

/**
 * A configuration of HAProxy that leads its port to the primary, as docs/operations/engines.md has it.
 * Patroni answers `GET /primary` with 200 on the primary only.
 */
export function proxyConfig (port: number, servers: readonly Server[]): string {
  return `global
  maxconn 1000

defaults
  mode tcp
  timeout connect 1s
  timeout client 30m
  timeout server 30m

listen postgresql
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms downinter 200ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.map(({ name, port, rest }) => `  server ${name} 127.0.0.1:${port} check port ${rest}\n`).join('')}`
}
