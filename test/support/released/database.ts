import { migrate } from '@frontdesk/database/migrate'
import { temporaryPostgres } from '@frontdesk/test-kit/database'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from '../load.js'
import { root } from '../stack.js'
import type { Dialect, Service } from './releases.js'

const PACKAGES = { auth: 'auth-server', customer: 'customer-service' }

const { loadDatabase } = await load<typeof import('../../../packages/auth-server/src/config.js')>('auth-server', 'config.js')

/** Options of the connections that migrate. */
export const OPTIONS = { ...loadDatabase({}).database, applicationName: 'test' }

/** The folder of the migrations of a service as they are now. */
export function migrationsOf (service: Service): URL {
  return new URL(`packages/${PACKAGES[service]}/dist/migrations/`, `file://${root}`)
}

/** A database of its own with the tables of a service as they are now. */
export async function migratedDatabase (service: Service, dialect: Dialect): Promise<{ url: string, remove: () => Promise<void> }> {
  const database = dialect === 'sqlite' ? await temporaryFile() : await temporaryPostgres()
  await migrate(database.url, migrationsOf(service), OPTIONS)
  return database
}

async function temporaryFile () {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-released-'))
  return { url: `file:${join(folder, 'released.db')}`, remove: () => rm(folder, { recursive: true, force: true }) }
}
