import type { Command } from 'commander'
import { dirname } from 'node:path'
import { loadConfig, setDefaults } from '../config.js'

/** Where the demo app and the API reference are, as `npm start` has them. */
const DEMO = { DEMO_CALLBACK: 'http://localhost:3002/callback', DEMO_DOCS_CALLBACK: 'http://localhost:3001/docs/static/oauth2-redirect.html' }

/** `frontdesk-auth serve`: runs auth-server in this process, until a signal ends it; in development with the demo accounts. */
export function serve (program: Command): void {
  program.command('serve').description('Start auth-server, until Ctrl-C.').action(async () => {
    const { issuer, databaseUrl, production } = loadConfig()
    setDefaults({ LOG_LEVEL: 'warn', ...(production ? {} : DEMO) })
    await import('../server.js')
    console.log(`
Frontdesk is running.${databaseUrl.startsWith('file:') ? ` Data: ${dirname(databaseUrl.slice('file:'.length))}` : ''}

  auth-server       ${issuer}
${production ? '' : '\nSign in as demo with the password demo.\n'}
Ctrl-C ends it.
`)
  })
}
