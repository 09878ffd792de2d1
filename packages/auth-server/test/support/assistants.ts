const CODE = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] }

/** https://chatgpt.com/oauth/client.json without its `client_id` and `jwks_uri`. */
export const CHATGPT = {
  ...CODE,
  client_uri: 'https://chatgpt.com/',
  redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
  token_endpoint_auth_method: 'private_key_jwt',
  token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
  client_name: 'ChatGPT',
  logo_uri: 'https://persistent.oaistatic.com/sonic/misc/openai-logo.png',
  token_endpoint_auth_signing_alg: 'RS256'
}

const CLAUDE = { ...CODE, client_name: 'Claude', client_uri: 'https://claude.ai', redirect_uris: ['https://claude.ai/api/mcp/auth_callback'] }

const CLAUDE_CODE = {
  ...CODE,
  client_name: 'Claude Code',
  client_uri: 'https://claude.ai',
  redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
  token_endpoint_auth_method: 'none'
}

const VS_CODE = {
  ...CODE,
  client_name: 'Visual Studio Code',
  logo_uri: 'https://code.visualstudio.com/assets/branding/code-stable.png',
  grant_types: [...CODE.grant_types, 'urn:ietf:params:oauth:grant-type:device_code'],
  token_endpoint_auth_method: 'none',
  application_type: 'native',
  client_uri: 'https://vscode.dev/product',
  redirect_uris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect']
}

const CURSOR = {
  ...CODE,
  client_name: 'Cursor',
  redirect_uris: [
    'cursor://anysphere.cursor-mcp/oauth/callback', 'https://www.cursor.com/agents/mcp/oauth/callback', 'http://localhost:8787/callback'
  ],
  token_endpoint_auth_method: 'none'
}

/** An app as its publisher describes it, and the callback that it uses. */
interface Assistant { readonly metadata: object, readonly callback: string }

/** The metadata documents that assistants publish, besides ChatGPT, which has keys. Cursor has none. */
export const documents: Record<string, Assistant> = {
  Claude: { metadata: { ...CLAUDE, token_endpoint_auth_method: 'none' }, callback: 'https://claude.ai/api/mcp/auth_callback' },
  'Claude Code': { metadata: CLAUDE_CODE, callback: 'http://localhost:3118/callback' },
  'Visual Studio Code': { metadata: VS_CODE, callback: 'http://127.0.0.1:33418/' },
  'Visual Studio Code in the browser': { metadata: VS_CODE, callback: 'https://vscode.dev/redirect' },
  'Visual Studio Code whose port is in use': { metadata: VS_CODE, callback: 'http://127.0.0.1:59656/' }
}

/** What assistants send to `/register`, besides ChatGPT. */
export const registrations: Record<string, Assistant> = {
  Claude: {
    metadata: { ...CLAUDE, token_endpoint_auth_method: 'client_secret_post', scope: 'customer:read customer:write customer:delete' },
    callback: 'https://claude.ai/api/mcp/auth_callback'
  },
  'Claude Code': {
    metadata: { ...CLAUDE_CODE, application_type: 'native', redirect_uris: ['http://localhost:3118/callback'] },
    callback: 'http://localhost:3118/callback'
  },
  'Visual Studio Code': {
    metadata: {
      ...VS_CODE,
      redirect_uris: [
        'https://insiders.vscode.dev/redirect', 'https://vscode.dev/redirect', 'http://127.0.0.1/', 'http://127.0.0.1:33418/'
      ],
      software_id: 'com.microsoft.vscode'
    },
    callback: 'http://127.0.0.1:33418/'
  },
  Cursor: { metadata: CURSOR, callback: 'cursor://anysphere.cursor-mcp/oauth/callback' },
  'Cursor on loopback': { metadata: CURSOR, callback: 'http://localhost:8787/callback' },
  'Cursor in the cloud': { metadata: CURSOR, callback: 'https://www.cursor.com/agents/mcp/oauth/callback' }
}
