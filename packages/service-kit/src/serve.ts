import closeWithGrace from 'close-with-grace'
import type { FastifyInstance } from 'fastify'
import { warnOfFewFiles } from './open-files.js'
import type { ServerConfig } from './server-settings.js'
import { ConfigError } from './settings.js'
import { MAX_CONNECTIONS } from './sockets/connections.js'

/** Time limit for a process to stop: less than the 10 s after which containers are killed. */
const SHUTDOWN_GRACE_MS = 9_500

/** Runs a service as a process. Prints an error of its start as a sentence, and exits with 1. */
export async function run (service: string, serve: () => Promise<void>): Promise<void> {
  try {
    await serve()
  } catch (error) {
    process.stderr.write(
      `${error instanceof ConfigError ? error.message : `${service} cannot start: ${error instanceof Error ? error.message : error}`}\n`
    )
    process.exit(1)
  }
}

/** Listens until SIGTERM or SIGINT, then drains and closes. @throws ConfigError if it cannot listen there */
export async function listen (fastify: FastifyInstance, { host, port }: Pick<ServerConfig, 'host' | 'port'>): Promise<void> {
  await fastify.listen({ host, port, backlog: MAX_CONNECTIONS }).catch(error => {
    if (error.code === 'EADDRINUSE') throw new ConfigError([`PORT ${port} is taken. Stop what listens there, or set PORT to another.`])
    if (/^(EADDRNOTAVAIL|ENOTFOUND)$/.test(error.code)) {
      throw new ConfigError([`HOST ${host} is no address of this machine. Set it to one, or to 0.0.0.0 for all.`])
    }
    if (/^(EMFILE|ENFILE)$/.test(error.code)) {
      throw new ConfigError(['No more files and connections may be opened. Raise the limit, as with ulimit -n 65536.'])
    }
    throw error
  })
  const fewFiles = warnOfFewFiles()
  if (fewFiles !== undefined) fastify.log.warn(fewFiles)
  closeWithGrace({ delay: SHUTDOWN_GRACE_MS, logger: fastify.log }, async ({ err }) => {
    if (err !== undefined) fastify.log.fatal({ err }, 'stopping after an uncaught error')
    await fastify.drain()
    await fastify.close()
  })
}
