import { LOGO_FORMATS, MAX_LOGO } from '../../oauth/client-logo.js'
import { readImage, type Image } from '../../settings/image.js'
import { CommandError } from '@frontdesk/service-kit/cli/errors'

/** The option that names a file with the logo of an app; `false`: --no-logo. */
export interface LogoOption { readonly logo?: string | false }

/** Reads the logo that an option names; `undefined` without one, `null` to remove it. @throws CommandError if it cannot be used */
export function readLogo ({ logo }: LogoOption): Image | null | undefined {
  if (logo === undefined) return undefined
  if (logo === false) return null
  try {
    return readImage(logo, LOGO_FORMATS, MAX_LOGO)
  } catch (cause) {
    throw new CommandError(`--logo: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

/** Describes a logo as text. */
export function describeLogo ({ type, content }: Image): string {
  return `${type}, ${content.length} bytes`
}
