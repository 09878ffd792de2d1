// Lists the programs of `npm start`, with the settings by which they find each other. The tests start the same programs.
import { join } from 'node:path'

/**
 * The programs, in the order to start them. Each knows the others only by address.
 * @param {Awaited<ReturnType<import('./settings.js').readSettings>>} settings
 * @returns {{ name: string, file: string, address: string, ready: string, env: Record<string, string> }[]}
 */
export function programs ({ AUTH_PORT, CUSTOMER_PORT, DESK_PORT, DATA_DIR }) {
  const [auth, customers, desk] = [AUTH_PORT, CUSTOMER_PORT, DESK_PORT].map(port => `http://localhost:${port}`)
  return [
    {
      name: 'auth-server',
      file: 'packages/auth-server/dist/bundle/server.js',
      address: auth,
      ready: `${auth}/health/ready`,
      env: {
        PORT: `${AUTH_PORT}`,
        ISSUER: auth,
        DATABASE_URL: `file:${join(DATA_DIR, 'auth.db')}`,
        DEFAULT_AUDIENCE: customers,
        ADMIN: 'true',
        DEMO_CALLBACK: `${desk}/callback`,
        DEMO_DOCS_CALLBACK: `${customers}/docs/static/oauth2-redirect.html`,
        ...assistants(customers)
      }
    },
    {
      name: 'customer-service',
      file: 'packages/customer-service/dist/bundle/server.js',
      address: customers,
      ready: `${customers}/health/ready`,
      env: {
        PORT: `${CUSTOMER_PORT}`,
        ISSUER: auth,
        AUDIENCE: customers,
        DATABASE_URL: `file:${join(DATA_DIR, 'customers.db')}`,
        CORS_ORIGINS: [desk, process.env.CORS_ORIGINS].filter(Boolean).join(','),
        DOCS_CLIENT_ID: 'demo-docs'
      }
    },
    {
      name: 'desk',
      file: 'packages/desk/dist/bundle/server.js',
      address: desk,
      ready: `${desk}/health/ready`,
      env: { PORT: `${DESK_PORT}`, ISSUER: auth, CUSTOMER_URL: customers }
    }
  ]
}

/**
 * The settings by which assistants can sign users in, with `MCP=on`. Those of the environment win.
 * @param {string} customers address of customer-service
 * @returns {Record<string, string>}
 */
export function assistants (customers) {
  if (process.env.MCP !== 'on') return {}
  const usual = {
    REGISTRATION: 'open', CLIENT_METADATA_DOCUMENTS: 'on', CALLBACK_SCHEMES: 'cursor', MCP_RESOURCES: `${customers}/mcp`
  }
  return Object.fromEntries(Object.entries(usual).map(([name, value]) => [name, process.env[name] || value]))
}

/** A program's npm workspace. */
export function folderOf ({ file }) {
  return file.split('/').slice(0, 2).join('/')
}
