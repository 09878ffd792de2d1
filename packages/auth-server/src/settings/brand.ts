import { text, type SettingsRules } from '@frontdesk/service-kit/settings'
import { Type, type Static } from '@sinclair/typebox'

/** One line of 1 to 60 characters without control and format characters, and without a space at either end. */
const NAME = /^(?! )[^\p{C}\p{Zl}\p{Zp}]{1,60}(?<! )$/u

const link = (page: string) => Type.Optional(text(`${page}, linked below every page.`, 'be an http or https address'))

/** Whose pages they are. */
export const brandSettings = {
  BRAND_NAME: text('Name on the pages.', 'be a name of at most 60 characters, without control characters', { default: 'Frontdesk' }),
  TERMS_URL: link('Terms of use'),
  PRIVACY_URL: link('Privacy policy'),
  SUPPORT_URL: Type.Optional(text('Where people get help, linked below every page.', 'be an http, https or mailto address'))
}

type BrandSettings = Static<ReturnType<typeof Type.Object<typeof brandSettings>>>

const isPage = (text: string) => isAddress(text, ['http:', 'https:'])

/** Rules of {@link brandSettings}. */
export const brandRules = {
  forms: {
    BRAND_NAME: name => NAME.test(name),
    TERMS_URL: isPage,
    PRIVACY_URL: isPage,
    SUPPORT_URL: address => isAddress(address, ['http:', 'https:', 'mailto:'])
  }
} satisfies SettingsRules<BrandSettings>

/** What the pages say about who runs them. */
export interface Brand {
  readonly name: string
  /** Whether the operator has chosen a name: the icon of this software is not theirs. */
  readonly isOwn: boolean
  /** Links below every page. */
  readonly links: ReadonlyArray<{ readonly text: string, readonly href: string }>
}

/** Converts settings that {@link brandRules} accept. */
export function readBrand ({ BRAND_NAME: name, TERMS_URL, PRIVACY_URL, SUPPORT_URL }: BrandSettings): Brand {
  const links = Object.entries({ Terms: TERMS_URL, Privacy: PRIVACY_URL, Help: SUPPORT_URL })
  return Object.freeze({
    name,
    isOwn: name !== brandSettings.BRAND_NAME.default,
    links: links.flatMap(([text, href]) => href === undefined ? [] : [{ text, href }])
  })
}

function isAddress (text: string, protocols: readonly string[]): boolean {
  if (/\s/.test(text) || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return protocols.includes(protocol) && username + password === ''
}
