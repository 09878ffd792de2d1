import fp from 'fastify-plugin'
import { describeMisspelled } from '../misspelled.js'
import type { ServerConfig } from '../server-settings.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** What was strange at the start, for readiness: name of the check → sentence. The service works all the same. */
    startNotices: Readonly<Record<string, string>>
  }
}

/** What can be unexpected at a start. */
interface StartNoticesOptions {
  config: Pick<ServerConfig, 'production' | 'misspelled'>
  /** The database, if this start created it, or its tables in an empty one. Readiness shows strangers only the last part. */
  createdDatabase: string | undefined
}

/**
 * Reports, until the next start, variables that resemble settings, and in production a database that was created: each may
 * be a typo. One line at level `warn`, and a check of readiness, which does not fail for it.
 */
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
