import type { Command } from 'commander'
import { dirname } from 'node:path'
import { loadConfig } from '../config.js'

/** Where the demo app and the API reference are, as `npm start` has them. */
const DEMO = { DEMO_CALLBACK: 'http://localhost:3002/callback', DEMO_DOCS_CALLBACK: 'http://localhost:3001/docs/static/oauth2-redirect.html' }

/** `frontdesk-auth serve`: runs auth-server in this process, until a signal ends it; in development with the demo accounts. */
export function serve (program: Command): void {
  program.command('serve').description('Start auth-server, until Ctrl-C.').action(async () => {
    const development = process.env.ENVIRONMENT !== 'production'
    process.env.LOG_LEVEL ||= 'warn'
    if (development) for (const [name, value] of Object.entries(DEMO)) process.env[name] ||= value
    // Prints what is wrong with the settings, if anything is, and exits.
    await import('../server.js')
    const { issuer, databaseUrl } = loadConfig()
    console.log(`
Frontdesk is running.${databaseUrl.startsWith('file:') ? ` Data: ${dirname(databaseUrl.slice('file:'.length))}` : ''}

  auth-server       ${issuer}
${development ? '\nSign in as demo with the password demo.\n' : ''}
Ctrl-C ends it.
`)
  })
}
