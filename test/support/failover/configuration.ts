import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Where Debian has the programs of each version of PostgreSQL. */
export const VERSIONS = '/usr/lib/postgresql'

/** Patroni's own times, in seconds: a standby is promoted when the primary's key has not been renewed for `ttl`. */
const TIMES = { ttl: 20, loop_wait: 2, retry_timeout: 5 }

/** A PostgreSQL server, and the Patroni that runs it. */
export interface Node {
  name: string
  url: string
  port: number
  /** Port of Patroni's own HTTP interface, whose status says what the server is. */
  rest: number
  home: string
}

/** The configuration of Patroni on a node. @param etcd port of etcd */
export function patroniConfig ({ name, home, port, rest }: Node, etcd: number, isSynchronous: boolean) {
  const version = readdirSync(VERSIONS).sort((one, other) => Number(other) - Number(one))[0]!
  return {
    scope: 'frontdesk',
    name,
    etcd3: { host: `127.0.0.1:${etcd}` },
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    bootstrap: {
      dcs: {
        ...TIMES,
        // Not strict: with two servers, it would refuse every write until the killed one is back.
        synchronous_mode: isSynchronous,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 200, fsync: 'off' } }
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums']
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(home, 'data'),
      bin_dir: join(VERSIONS, version, 'bin'),
      pgpass: join(home, 'pgpass'),
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
      parameters: { unix_socket_directories: home },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust']
    }
  }
}

/** The arguments of etcd. @param port for clients */
export function etcdFlags (folder: string, port: number, peers: number): string[] {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peers}`]
  return [
    '--name', 'etcd', '--data-dir', folder, '--listen-client-urls', client, '--advertise-client-urls', client, '--listen-peer-urls', peer,
    '--initial-advertise-peer-urls', peer, '--initial-cluster', `etcd=${peer}`, '--unsafe-no-fsync'
  ]
}

/**
 * A configuration of HAProxy that leads its port to the primary, as docs/operations/postgresql.md has it. Patroni answers
 * `GET /primary` with 200 on the primary only.
 */
export function proxyConfig (port: number, nodes: ReadonlyArray<Pick<Node, 'name' | 'port' | 'rest'>>): string {
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
${nodes.map(({ name, port, rest }) => `  server ${name} 127.0.0.1:${port} check port ${rest}\n`).join('')}`
}
