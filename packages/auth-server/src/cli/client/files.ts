import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { readFileSync } from 'node:fs'
import type { ClientEntry } from '../../admin/client-entry.js'
import { withoutNulls } from '../../input/without-nulls.js'
import { dataUrlOf, LOGO_FORMATS, MAX_LOGO } from '../../oauth/client-logo.js'
import { arePublic } from '../../registration/credentials.js'
import { readImage, type Image } from '@frontdesk/service-kit/image'

/** The logo in a file, as a `data:` URL. @throws CommandError if it cannot be used */
export function readLogo (file: string): string {
  try {
    return dataUrlOf(readImage(file, LOGO_FORMATS, MAX_LOGO))
  } catch (cause) {
    throw new CommandError(`--logo: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

/** Describes a logo as text. */
export function describeLogo ({ type, content }: Image): string {
  return `${type}, ${content.length} bytes`
}

/** The JWK Set of public keys in a file (RFC 7517 §5). @throws CommandError if there is none */
export function readJwks (file: string): ClientEntry['jwks'] {
  try {
    // as: arePublic checks it.
    const { keys } = withoutNulls(JSON.parse(readFileSync(file, 'utf8'))) as { keys?: Array<{ kty: string }> }
    if (keys !== undefined && arePublic(keys)) return { keys }
  } catch (cause) {
    throw new CommandError(`The keys in ${file} cannot be read: ${cause instanceof Error ? cause.message : cause}.`, { cause })
  }
  throw new CommandError(`${file} must be a JWK Set of public keys: {"keys": […]}.`)
}
