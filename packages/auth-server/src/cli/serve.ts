import { serveCommand } from '@frontdesk/service-kit/cli/serve'
import { loadConfig, setDefaults } from '../config.js'

/** Redirect URIs of the desk and the API reference, as `npm start` runs them. */
const DEMO = {
  DEMO_CALLBACK: 'http://localhost:3002/callback',
  DEMO_DOCS_CALLBACK: 'http://localhost:3001/docs/static/oauth2-redirect.html'
}

/** `frontdesk-auth serve`; in development with the demo accounts. */
export const serve = serveCommand('auth-server', async () => {
  const { issuer, databaseUrl, production } = loadConfig()
  setDefaults({ LOG_LEVEL: 'warn', ...(production ? {} : DEMO) })
  await import('../server.js')
  return { databaseUrl, addresses: { 'auth-server': issuer }, hint: production ? undefined : 'Sign in as demo with the password demo.' }
})
