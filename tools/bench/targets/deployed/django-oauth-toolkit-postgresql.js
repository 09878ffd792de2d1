import { oauthToolkit } from './django/oauth-toolkit.js'

export default oauthToolkit('postgresql')
