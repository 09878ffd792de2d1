const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const type = new RegExp(`^${token}/${token}`)
const parameter = new RegExp(
  `[\\t ]*;[\\t ]*(?:(${token})=(?:(${token})|"((?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t \\x21-\\x7e\\x80-\\xff])*)"))?`,
  'y'
)

/** Parses a `Content-Type` (RFC 9110 §8.3), in lower case; `null` if it is malformed or has two charsets. */
export function parseMediaType (contentType: string): { readonly name: string, readonly charset: string | undefined } | null {
  const [name = ''] = type.exec(contentType) ?? []
  const rest = contentType.trimEnd()
  let charset: string | undefined
  parameter.lastIndex = name.length
  while (parameter.lastIndex < rest.length) {
    const found = parameter.exec(rest)
    if (found === null) return null
    const [, attribute, plain, quoted = ''] = found
    if (attribute?.toLowerCase() !== 'charset') continue
    const value = (plain ?? quoted.replace(/\\(.)/g, '$1')).toLowerCase()
    if (charset !== undefined && charset !== value) return null
    charset = value
  }
  return { name: name.toLowerCase(), charset }
}

/**
 * Whether a `Content-Type` is a type in UTF-8: `charset` is absent, utf-8 or utf8.
 * @param wanted in lower case, without parameters
 */
export function hasType (contentType: string, wanted: string): boolean {
  const found = parseMediaType(contentType)
  return found !== null && found.name === wanted && (found.charset === undefined || /^utf-?8$/.test(found.charset))
}

/**
 * The quality that `Accept` (RFC 9110 §12.5.1) gives a media type in UTF-8, from 0 to 1. The most specific range counts.
 * Ignores ranges with an invalid `q`, such as one above 1 (§12.4.2).
 * @param accept accepts everything if it is `undefined` or has no range
 * @param wanted in lower case, without parameters
 */
export function acceptQuality (accept: string | undefined, wanted: string): number {
  const names = ['*/*', wanted.replace(/\/.*/, '/*'), wanted]
  let [best, quality] = [-1, 0]
  for (const range of accept === undefined || /^[\s,]*$/.test(accept) ? ['*/*'] : accept.split(',')) {
    const [name = '', ...parameters] = range.split(';').map(part => part.trim().toLowerCase())
    const given = parameters.find(parameter => parameter.startsWith('q='))
    const others = parameters.filter(parameter => parameter !== given && parameter !== '')
    if (others.some(parameter => !/^charset=("?)(utf-?8|\*)\1$/.test(parameter))) continue
    const q = Number(given?.slice(2) ?? 1)
    if (!(q >= 0 && q <= 1)) continue
    const specificity = 2 * names.indexOf(name) + (others.length > 0 ? 1 : 0)
    if (!names.includes(name) || specificity < best) continue
    // Of equally specific ranges, the higher quality counts.
    quality = Math.max(specificity === best ? quality : 0, q)
    best = specificity
  }
  return quality
}
