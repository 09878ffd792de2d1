import { serveCommand } from '@frontdesk/service-kit/cli/serve'
import { loadConfig, setDefaults } from '../config.js'

/** `frontdesk-customer serve`. */
export const serve = serveCommand('customer-service', async () => {
  const { port, databaseUrl, production } = loadConfig()
  setDefaults({ LOG_LEVEL: 'warn', ...(production ? {} : { DOCS_CLIENT_ID: 'demo-docs' }) })
  await import('../server.js')
  const address = `http://localhost:${port}`
  return { databaseUrl, addresses: { 'customer-service': address, 'API reference': `${address}/docs` } }
})
