import type { Command } from 'commander'
import { dirname } from 'node:path'
import { loadConfig, setDefaults } from '../config.js'

/** Redirect URIs of the demo app and the API reference, as `npm start` runs them. */
const DEMO = {
  DEMO_CALLBACK: 'http://localhost:3002/callback',
  DEMO_DOCS_CALLBACK: 'http://localhost:3001/docs/static/oauth2-redirect.html'
}

/** `frontdesk-auth serve`: runs auth-server in this process, until a signal stops it; in development with the demo accounts. */
export function serve (program: Command): void {
  program.command('serve').description('Start auth-server, until Ctrl-C.').action(async () => {
    const { issuer, databaseUrl, production } = loadConfig()
    setDefaults({ LOG_LEVEL: 'warn', ...(production ? {} : DEMO) })
    await import('../server.js')
    console.log(`
Frontdesk is running.${databaseUrl.startsWith('file:') ? ` Data: ${dirname(databaseUrl.slice('file:'.length))}` : ''}

  auth-server       ${issuer}
${production ? '' : '\nSign in as demo with the password demo.\n'}
Ctrl-C stops it.
`)
  })
}
