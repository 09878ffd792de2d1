/** What takes most of a head that is too long: the `address`, `cookies`, or other header `fields`. */
export type LongestPart = 'address' | 'cookies' | 'fields'

/**
 * Finds what takes most of the head of a request that is too long.
 * @param packet the bytes in which it became too long: all of the head, or only its end if it came in parts
 */
export function longestPartOf (packet: string): LongestPart {
  const lengths = { address: 0, cookies: 0, fields: 0 }
  packet.split('\r\n').forEach((line, index) => { lengths[partOf(line, index === 0)] += line.length })
  // as: the keys of the object above.
  return (Object.keys(lengths) as LongestPart[]).reduce((longest, part) => lengths[part] > lengths[longest] ? part : longest)
}

function partOf (line: string, isFirst: boolean): LongestPart {
  if (/^cookie:/i.test(line)) return 'cookies'
  if (!isFirst || /^[\w-]+: /.test(line)) return 'fields'
  if (/^[A-Z]+ /.test(line) || / HTTP\/1\.[01]$/.test(line)) return 'address'
  // The end of a line that began in an earlier packet: cookies are separated by a semicolon.
  return /; ?[^\s;=]+=/.test(line) ? 'cookies' : 'fields'
}
