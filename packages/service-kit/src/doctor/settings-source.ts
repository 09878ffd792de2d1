import { readEnvFiles } from '../misspelled.js'
import { findings, type Finding } from './finding.js'

/** Says from where the settings come: those that are set, without their values. @param names of all settings */
export function describeSource (names: readonly string[], env: NodeJS.ProcessEnv = process.env, files = readEnvFiles()): Finding {
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
