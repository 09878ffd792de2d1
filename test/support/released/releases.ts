import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../stack.js'
import { useAuthServer } from './auth-server.js'
import { useCustomerService } from './customer-service.js'
import type { Released } from './statements.js'

/** The services, by the name of their folder below `prisma/`, with what uses all that their stores can do. */
export const SERVICES = { auth: useAuthServer, customer: useCustomerService } as const

/** The two databases. */
export const DIALECTS = ['sqlite', 'postgresql'] as const

export type Service = keyof typeof SERVICES
export type Dialect = typeof DIALECTS[number]

/** The file that keeps what a release says to its database. */
export function fileOf (service: Service, dialect: Dialect): string {
  return join(root, 'prisma', service, dialect, 'released.json')
}

/** What the last release of a service says to its database; `null` if none has been recorded. */
export async function readReleased (service: Service, dialect: Dialect): Promise<Released | null> {
  const file = fileOf(service, dialect)
  // as: `npm run record-release` wrote it.
  return existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) as Released : null
}
