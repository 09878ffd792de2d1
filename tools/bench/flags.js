import { parseArgs } from 'node:util'

/**
 * Parses arguments such as `--seconds 60`. The default decides the type: a number above 0, comma-separated numbers or names, or
 * text.
 * @template {Record<string, number | number[] | string[] | string>} T
 * @param {T} defaults
 * @returns {T}
 */
export function readFlags (defaults) {
  return orExit(() => {
    const { values } = parseArgs({ options: Object.fromEntries(Object.keys(defaults).map(name => [name, { type: 'string' }])) })
    return Object.fromEntries(Object.entries(defaults).map(([name, otherwise]) => [name, parse(name, values[name], otherwise)]))
  })
}

/** Returns the result of `read`; prints its error and exits if it throws. */
export function orExit (read) {
  try {
    return read()
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
