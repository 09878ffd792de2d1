import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Postgres } from '../stack.js'
import { databasesOn, run, type Cleaner, type Databases } from './installation.js'
import { AWAY, type Fault } from './workload.js'
import type { TcpProxy } from './tcp-proxy.js'

/** What happens to a PostgreSQL server that the services speak to directly, and their databases on it. */
export async function faultsOfServer (t: Cleaner, server: Postgres, lasts: number): Promise<{ databases: Databases, faults: Fault[] }> {
  const full = await tinyDisk(t, server)
  const fault = (name: string, begin: Fault['begin'], end: Fault['end']): Fault => ({
    name,
    lasts,
    begin,
    end,
    allowed: AWAY,
    untilFelt: true
  })
  return {
    databases: full.databases,
    faults: [
      fault('PostgreSQL stopped (fast)', () => server.stop('SIGINT'), () => server.start()),
      fault('PostgreSQL stopped (immediate)', () => server.stop('SIGQUIT'), () => server.start()),
      fault('PostgreSQL frozen', () => server.freeze(), () => server.thaw()),
      fault('PostgreSQL waiting for a standby', () => requireStandby(server, 'absent'), () => requireStandby(server, '')),
      fault(`PostgreSQL full (${full.how})`, full.fill, full.empty)
    ]
  }
}

/** Makes every commit wait until a standby has it. @param name of the standby; empty: none */
export async function requireStandby (server: Postgres, name: string): Promise<void> {
  await run(server.url, `ALTER SYSTEM SET synchronous_standby_names = '${name}'`)
  await run(server.url, 'SELECT pg_reload_conf()')
}

/** What happens on the way to a server. */
export function faultsOfNetwork (proxy: TcpProxy, lasts: number): Fault[] {
  return [
    {
      name: 'PostgreSQL slow (each answer takes 8 s)',
      lasts,
      begin: () => { proxy.delay = 4_000 },
      end: () => { proxy.delay = 0 },
      allowed: AWAY,
      untilFelt: true
    },
    {
      name: 'PostgreSQL cut off without a word',
      lasts,
      begin: () => { proxy.cut() },
      end: () => { proxy.repair() },
      allowed: AWAY,
      untilFelt: true
    }
  ]
}

/**
 * A server and its standby, which has all that is acknowledged, and what happens when it takes over: for a while it can
 * only be read.
 */
export async function failover (t: Cleaner, proxy: TcpProxy, lasts: number): Promise<{ primary: Postgres, fault: Fault }> {
  const primary = await Postgres.create()
  t.teardown(() => primary.remove())
  const standby = await primary.copy()
  t.teardown(() => standby.remove())
  standby.own(join(standby.data, 'standby.signal'), '')
  await primary.start({ synchronous_commit: 'remote_apply' })
  await standby.start({ primary_conninfo: `host=127.0.0.1 port=${primary.port} user=postgres` })
  await requireStandby(primary, '*')
  proxy.target = primary.port
  return {
    primary,
    fault: {
      name: 'PostgreSQL failing over, read-only at first',
      lasts,
      begin: async () => {
        await primary.stop('SIGQUIT')
        proxy.target = standby.port
      },
      end: async () => { await run(standby.url, 'SELECT pg_promote()') },
      allowed: AWAY,
      untilFelt: true
    }
  }
}

/**
 * Databases on a disk of their own that can be filled. Without the right to mount one, the server can be made to take no
 * connections more, the same class of error.
 */
async function tinyDisk (t: Cleaner, server: Postgres) {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-disk-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  if (!mount(folder)) {
    rmSync(folder, { recursive: true })
    return {
      databases: await databasesOn(server.url),
      how: 'of connections',
      fill: async () => {
        await run(server.url, 'ALTER ROLE frontdesk CONNECTION LIMIT 0')
        await run(server.url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'frontdesk'")
      },
      empty: () => run(server.url, 'ALTER ROLE frontdesk CONNECTION LIMIT -1')
    }
  }
  t.teardown(() => execFileSync('umount', ['--lazy', folder]))
  server.own(folder)
  await run(server.url, `CREATE TABLESPACE tiny LOCATION '${folder}'`)
  const databases = await databasesOn(server.url, 'TABLESPACE tiny')
  t.teardown(async () => {
    for (const url of Object.values(databases)) await run(server.url, `DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`)
    await run(server.url, 'DROP TABLESPACE tiny')
  })
  const filler = join(folder, 'filler')
  return {
    databases,
    how: 'its disk',
    fill: async () => {
      for (const size of [1 << 20, 1 << 12]) while (await appendFile(filler, Buffer.alloc(size)).then(() => true, () => false));
    },
    empty: () => rmSync(filler)
  }
}

function mount (folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=40m,mode=0700', 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
