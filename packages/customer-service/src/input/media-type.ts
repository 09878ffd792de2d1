const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const type = new RegExp(`^${token}/${token}`)
const parameter = new RegExp(
  `[\\t ]*;[\\t ]*(?:(${token})=(?:(${token})|"((?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t \\x21-\\x7e\\x80-\\xff])*)"))?`,
  'y'
)

/**
 * Whether a `Content-Type` (RFC 9110 §8.3) is the wanted one in UTF-8: case-insensitive, `charset` absent, utf-8 or utf8.
 * @param wanted in lower case, without parameters
 */
export function hasType (contentType: string, wanted: string): boolean {
  const [name = ''] = type.exec(contentType) ?? []
  if (name.toLowerCase() !== wanted) return false
  const rest = contentType.trimEnd()
  parameter.lastIndex = name.length
  while (parameter.lastIndex < rest.length) {
    const found = parameter.exec(rest)
    if (found === null) return false
    const [, attribute, plain, quoted = ''] = found
    const value = plain ?? quoted.replace(/\\(.)/g, '$1')
    if (attribute?.toLowerCase() === 'charset' && !/^utf-?8$/i.test(value)) return false
  }
  return true
}
