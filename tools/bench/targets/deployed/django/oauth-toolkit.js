import { execFileSync } from 'node:child_process'
import { FORM } from '../../../loads.js'
import { CALLBACK, PASSWORD, SCOPE, TOKEN_CLIENT, USERNAME } from '../../../services/registrations.js'
import { query } from '../../../services/token-loads.js'
import { codeOf, grants, SECRET } from '../grants.js'
import { FOLDER, gunicorn, settings } from './gunicorn.js'

const ENV = { CLIENT: TOKEN_CLIENT, SECRET, CALLBACK, SCOPE, USERNAME, PASSWORD }

/**
 * django-oauth-toolkit 1.7 on gunicorn. Passwords: PBKDF2, SHA-256; secrets and tokens are stored as they are. Opaque access tokens;
 * refresh tokens are rotated. One request up to the code: consent is skipped.
 * @param {'sqlite' | 'postgresql'} database
 */
export function oauthToolkit (database) {
  return {
    group: 'peer',
    database,
    packages: ['python3-django-oauth-toolkit', 'python3-psycopg2', 'gunicorn'],
    prepare: async context => {
      const env = { PATH: process.env.PATH, ...settings(context), ...ENV }
      const session = execFileSync('/usr/bin/python3', ['oauth_toolkit.py', 'prepare'], { cwd: FOLDER, env, encoding: 'utf8' })
      context.memory.set('session', `sessionid=${session.trim()}`)
      context.memory.set('secret', SECRET)
    },
    start: context => gunicorn('oauth_toolkit', context, ENV),
    workloads: grants({ tokenPath: '/o/token/', getCode, credentials })
  }
}

async function getCode (ask, { memory }) {
  return codeOf(await ask({ path: `/o/authorize/?${query()}`, headers: { cookie: memory.get('session') } }))
}

const credentials = () => ({ ...FORM, authorization: `Basic ${btoa(`${TOKEN_CLIENT}-machine:${SECRET}`)}` })
