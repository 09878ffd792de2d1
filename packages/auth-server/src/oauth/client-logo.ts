import { parseImage, type Image, type ImageFormat } from '@frontdesk/service-kit/image'

/** Formats of client logos. The files come from others, so SVG is not allowed: it can contain scripts. */
export const LOGO_FORMATS: readonly ImageFormat[] = ['PNG', 'WebP']

/** Maximum size of a client's logo, in KB. */
export const MAX_LOGO = 32

/** A logo as a `data:` URL (RFC 2397). */
export function dataUrlOf ({ type, content }: Image): string {
  return `data:${type};base64,${content.toString('base64')}`
}

/** The logo in a `data:` URL that {@link whyNotLogo} accepts; `undefined` if it is not one. */
export function logoOf (url: string): Image | undefined {
  const [, base64] = /^data:image\/[a-z]+;base64,([A-Za-z0-9+/]+={0,2})$/.exec(url) ?? []
  return base64 === undefined ? undefined : parseImage(Buffer.from(base64, 'base64'), LOGO_FORMATS)
}

/** Why a client cannot have this logo, in a sentence; `null` if it can. @param url a `data:` URL */
export function whyNotLogo (url: string): string | null {
  const logo = logoOf(url)
  if (logo === undefined) return `The logo must be a ${LOGO_FORMATS.join(' or ')} file as a data: URL, such as data:image/png;base64,iVBORw0KGgo….`
  return logo.content.length > MAX_LOGO * 1_024 ? `The logo is larger than ${MAX_LOGO} KB.` : null
}
