import type { Command } from 'commander'
import { dirname } from 'node:path'
import { loadConfig } from '../config.js'

/** `frontdesk-customer serve`: runs customer-service in this process, until a signal ends it. */
export function serve (program: Command): void {
  program.command('serve').description('Start customer-service, until Ctrl-C.').action(async () => {
    process.env.LOG_LEVEL ||= 'warn'
    if (process.env.ENVIRONMENT !== 'production') process.env.DOCS_CLIENT_ID ||= 'demo-docs'
    // Prints what is wrong with the settings, if anything is, and exits.
    await import('../server.js')
    const { port, databaseUrl } = loadConfig()
    console.log(`
Frontdesk is running.${databaseUrl.startsWith('file:') ? ` Data: ${dirname(databaseUrl.slice('file:'.length))}` : ''}

  customer-service  http://localhost:${port}
  API reference     http://localhost:${port}/docs

Ctrl-C ends it.
`)
  })
}
