import type { Command } from 'commander'
import { dirname } from 'node:path'
import { loadConfig, setDefaults } from '../config.js'

/** `frontdesk-customer serve`: runs customer-service in this process, until a signal stops it. */
export function serve (program: Command): void {
  program.command('serve').description('Start customer-service, until Ctrl-C.').action(async () => {
    const { port, databaseUrl, production } = loadConfig()
    setDefaults({ LOG_LEVEL: 'warn', ...(production ? {} : { DOCS_CLIENT_ID: 'demo-docs' }) })
    await import('../server.js')
    console.log(`
Frontdesk is running.${databaseUrl.startsWith('file:') ? ` Data: ${dirname(databaseUrl.slice('file:'.length))}` : ''}

  customer-service  http://localhost:${port}
  API reference     http://localhost:${port}/docs

Ctrl-C stops it.
`)
  })
}
