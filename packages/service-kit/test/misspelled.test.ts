import { temporaryFolder } from '@frontdesk/test-kit/database'
import { Type } from '@sinclair/typebox'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { describeMisspelled, findMisspelled, readEnvFiles } from '../src/misspelled.js'
import { ConfigError, integer, readSettings, text, type SettingsRules } from '../src/settings.js'

const NAMES = ['HOST', 'PORT', 'ISSUER', 'AUTH', 'DOCS', 'DATABASE_URL', 'SECRET_KEY', 'TERMS_URL', 'MAIL_FROM', 'TRUST_PROXY', 'METRICS_PORT', 'ENVIRONMENT']

t.test('a misspelled setting is found: letters that are missing, added, wrong or swapped, and another case', async t => {
  const rows: Array<[name: string, setting: string]> = [
    ['ISSER', 'ISSUER'], ['ISSUERS', 'ISSUER'], ['ISUSER', 'ISSUER'], ['issuer', 'ISSUER'], ['PROT', 'PORT'], ['HOSTS', 'HOST'],
    ['DATABASE_ULR', 'DATABASE_URL'], ['DATABASE_URI', 'DATABASE_URL'], ['DATABASEURL', 'DATABASE_URL'], ['DATABASE-URL', 'DATABASE_URL'],
    ['SECRETKEY', 'SECRET_KEY'], ['ENVIROMENT', 'ENVIRONMENT'], ['MAIL_FORM', 'MAIL_FROM'], ['METRIC_PORTS', 'METRICS_PORT'], ['TERM_URL', 'TERMS_URL']
  ]
  for (const [name, setting] of rows) t.match(findMisspelled(NAMES, { [name]: 'x' }), [{ name, setting, file: undefined }], name)
  t.equal(describeMisspelled({ name: 'ISSER', setting: 'ISSUER', file: undefined }), 'ISSER is not a setting. Did you mean ISSUER?')
})

t.test('settings themselves, empty variables, and what shells and platforms set are not', async t => {
  t.same(findMisspelled(NAMES, { ISSER: '', ...Object.fromEntries(NAMES.map(name => [name, 'x'])) }), [])
  const others = [
    'PATH', 'HOME', 'HOSTNAME', 'USER', 'LOGNAME', 'SHELL', 'SHLVL', 'TERM', 'LANG', 'LC_ALL', 'PWD', 'OLDPWD', 'MAIL', 'EDITOR', 'VISUAL', 'PAGER',
    'TZ', '_', 'PS1', 'NODE_ENV', 'NODE_OPTIONS', 'INIT_CWD', 'HTTP_PROXY', 'NO_PROXY', 'DEBUG', 'CI', 'DISPLAY', 'INVOCATION_ID', 'JOURNAL_STREAM',
    'KUBERNETES_PORT', 'KUBERNETES_SERVICE_HOST', 'AUTH_SERVER_PORT', 'AUTH_SERVER_PORT_3000_TCP', 'NOTIFY_SOCKET', 'MEMORY_PRESSURE_WATCH',
    'X'.repeat(100_000)
  ]
  t.same(findMisspelled(NAMES, Object.fromEntries(others.map(name => [name, 'x']))), [])
})

const Settings = Type.Object({
  ISSUER: Type.Optional(text('Issuer.', 'be an address')),
  SIZE: integer('Size.', { minimum: 1, maximum: 10, default: 5 })
})
const rules: SettingsRules<typeof Settings.static> = {
  relations: [{ names: ['ISSUER', 'SIZE'], whyNot: ({ ISSUER, SIZE }) => SIZE > 8 && ISSUER === undefined ? 'ISSUER is missing.' : null }]
}
const sentences = (env: Record<string, string>, files?: ReadonlyMap<string, string>) => {
  try {
    readSettings(Settings, env, rules, files)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.sentences
  }
}

t.test('a misspelled variable of the environment is a mistake only if the setting it resembles is required and missing', async t => {
  t.same(sentences({ ISSER: 'x' }), [])
  t.same(sentences({ ISSER: 'x', SIZE: '9', SIZES: '3' }), ['ISSUER is missing.', 'ISSER is not a setting. Did you mean ISSUER?'])
  t.same(sentences({ ISSER: 'x', ISSUER: 'x', SIZE: '9' }), [])
})

t.test('one in a file that is for this service alone always is', async t => {
  const [one, two] = ['a.env', 'b.env'].map(name => join(temporaryFolder(t), name))
  writeFileSync(one!, '# A comment\nISSER="x y"\nexport SIZES=3\n')
  writeFileSync(two!, 'ISSUERS=x\n')
  const files = readEnvFiles(['--no-warnings', `--env-file=${one}`, '--env-file-if-exists', two!, '--env-file-if-exists=/none/c.env', '-e', '1'])
  t.same([...files], [['ISSER', one], ['SIZES', one], ['ISSUERS', two]])
  t.same(sentences({ ISSER: 'x y', ISSUERS: 'x', SIZED: '1' }, files), [
    `ISSER in ${one} is not a setting. Did you mean ISSUER?`, `ISSUERS in ${two} is not a setting. Did you mean ISSUER?`
  ])
  t.same([...readEnvFiles(['--env-file'])], [])
  t.same([...readEnvFiles()], [], 'this process has none')
})
