import fp from 'fastify-plugin'
import { describeMisspelled } from '../misspelled.js'
import type { ServerConfig } from '../server-settings.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Notices of the start for readiness, by name of the check. They leave the service ready. */
    startNotices: Readonly<Record<string, string>>
  }
}

interface StartNoticesOptions {
  config: Pick<ServerConfig, 'production' | 'misspelled'>
  /** The database, if this start created it or its tables. Readiness, which is public, shows only the last part. */
  createdDatabase?: string | undefined
}

/** Reports probable typos, in the log and in readiness: variables that resemble settings and, in production, a new database. */
export default fp<StartNoticesOptions>(async function startNotices (fastify, { config: { production, misspelled }, createdDatabase }) {
  const created = production ? createdDatabase : undefined
  const says = (name: string) => `${name} was created by this start; if it should have existed, correct DATABASE_URL or DATA_DIR`
  const settings = misspelled.map(describeMisspelled).join(' ')

  fastify.decorate('startNotices', {
    ...(settings !== '' && { settings }),
    ...(created !== undefined && { created: says(created.slice(created.lastIndexOf('/') + 1)) })
  })
  fastify.addHook('onReady', async () => {
    for (const it of misspelled) fastify.log.warn({ variable: it.name, setting: it.setting }, describeMisspelled(it))
    if (created !== undefined) fastify.log.warn({ database: created }, `the database ${says(created)}`)
  })
}, { name: 'start-notices', fastify: '5.x' })
