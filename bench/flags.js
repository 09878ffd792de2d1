import { parseArgs } from 'node:util'

/**
 * The arguments of a command, such as `--seconds 60`. A default tells what each one is: a number above 0, several of
 * them or several names, separated by commas, or a text.
 * @template {Record<string, number | number[] | string[] | string>} T
 * @param {T} defaults
 * @returns {T}
 *   Ends the process with a sentence if something is wrong.
 */
export function readFlags (defaults) {
  const options = Object.fromEntries(Object.keys(defaults).map(name => [name, { type: 'string' }]))
  try {
    const { values } = parseArgs({ options })
    return Object.fromEntries(Object.entries(defaults).map(([name, otherwise]) => [name, parse(name, values[name], otherwise)]))
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}

function parse (name, text, otherwise) {
  if (text === undefined || typeof otherwise === 'string') return text ?? otherwise
  if (typeof otherwise === 'number') return toNumber(name, text)
  return text.split(',').map(it => typeof otherwise[0] === 'number' ? toNumber(name, it) : it)
}

/** @throws unless it is a number above 0 */
export function toNumber (name, text) {
  const value = Number(text)
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0.`)
  return value
}
