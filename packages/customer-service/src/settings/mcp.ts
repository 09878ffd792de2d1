import { oneOf, type SettingsRules } from '@frontdesk/service-kit/settings'

export const mcpSetting = oneOf('`on` lets assistants use the customer register over MCP, at `/mcp`.', ['off', 'on'])

interface Settings { MCP: 'on' | 'off', ENVIRONMENT: string, SERVICE_ROOT?: string, AUDIENCE?: string }

export const mcpRules = {
  relations: [{
    names: ['MCP', 'ENVIRONMENT', 'SERVICE_ROOT'],
    whyNot: ({ MCP, ENVIRONMENT, SERVICE_ROOT }) => MCP === 'on' && ENVIRONMENT === 'production' && SERVICE_ROOT === undefined
      ? 'SERVICE_ROOT must be set in production with MCP=on: access tokens for /mcp are issued for its public address.'
      : null
  }, {
    names: ['MCP', 'SERVICE_ROOT', 'AUDIENCE'],
    whyNot: ({ MCP, SERVICE_ROOT, AUDIENCE }) => MCP === 'on' && AUDIENCE !== undefined &&
      AUDIENCE === `${(SERVICE_ROOT ?? new URL(AUDIENCE).origin).replace(/\/$/, '')}/mcp`
      ? 'AUDIENCE must not be the address of /mcp with MCP=on: assistants need access tokens that the REST API does not accept.'
      : null
  }]
} satisfies SettingsRules<Settings>
