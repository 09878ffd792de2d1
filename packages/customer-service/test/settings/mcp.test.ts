import { ConfigError } from '@frontdesk/service-kit/settings'
import { thrownBy } from '@frontdesk/test-kit/thrown'
import t from 'tap'
import { loadConfig } from '../../src/config.js'

t.test('the endpoint for assistants needs a public address in production, and an audience of its own', async t => {
  const refuse = (env: Record<string, string>, sentence: RegExp) => {
    const error = thrownBy(() => loadConfig({ ...env, MCP: 'on' }))
    t.ok(error instanceof ConfigError)
    t.match(error, { sentences: [sentence] })
    t.equal(loadConfig(env).mcp, false, 'without MCP=on, it is no mistake')
  }
  refuse({ ENVIRONMENT: 'production', ISSUER: 'https://login.example', AUDIENCE: 'https://api.example' }, /^SERVICE_ROOT must be set in production with MCP=on/)
  refuse({ AUDIENCE: 'https://api.example/mcp' }, /^AUDIENCE must not be the address of \/mcp with MCP=on/)
  refuse({ AUDIENCE: 'https://api.example/crm/mcp', SERVICE_ROOT: 'https://api.example/crm/' }, /^AUDIENCE must not be the address of \/mcp/)
  t.equal(loadConfig({ AUDIENCE: 'urn:customers', MCP: 'on' }).mcp, true)
})
