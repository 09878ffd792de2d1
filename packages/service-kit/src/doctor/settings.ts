import { describeMisspelled, readEnvFiles, type Misspelled } from '../misspelled.js'
import { ConfigError } from '../settings.js'
import { findings, type Finding } from './finding.js'

interface CommonConfig { readonly production: boolean, readonly misspelled: readonly Misspelled[] }

/**
 * Reads the settings, and reports their sources and mistakes.
 * @param names of all settings
 * @returns `undefined` if they are invalid
 */
export function * checkSettings<Config extends CommonConfig> (
  names: readonly string[], load: () => Config
): Generator<Finding, Config | undefined> {
  const { ok, warning, wrong, unchecked } = findings('settings')
  yield describeSource(names)
  try {
    const config = load()
    yield ok(config.production
      ? 'The settings can be used in production.'
      : 'The settings can be used for development; ENVIRONMENT=production requires more.')
    yield * config.misspelled.map(it => warning(describeMisspelled(it), 'Rename the variable, or remove it.'))
    return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    yield * error.sentences.map(sentence => wrong(sentence))
    yield unchecked('Nothing else was checked.', 'Fix the settings, then run doctor again.')
    return undefined
  }
}

/** Reports the sources of the settings that are set, without values. @param names of all settings */
function describeSource (names: readonly string[], env: NodeJS.ProcessEnv = process.env, files = readEnvFiles()): Finding {
  const set = names.filter(name => (env[name] ?? '') !== '')
  const inFiles = [...new Set(files.values())].flatMap(file => {
    const found = set.filter(name => files.get(name) === file)
    return found.length === 0 ? [] : [`${found.join(', ')} from ${file}`]
  })
  const own = set.filter(name => !files.has(name))
  const sources = [...inFiles, ...own.length === 0 ? [] : [`${own.join(', ')} from the environment of this command`]]
  return findings('source').ok(sources.length === 0
    ? 'No setting is set in the environment of this command: these are the defaults.'
    : `Settings: ${sources.join('; ')}. All others have their defaults.`)
}
