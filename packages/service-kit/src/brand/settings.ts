import { Type, type Static } from '@sinclair/typebox'
import { resolve } from 'node:path'
import { readImage, type Image } from '../image.js'
import { text, type SettingsRules } from '../settings.js'

/** One line of 1 to 60 characters without control and format characters, and without a space at either end. */
const NAME = /^(?! )[^\p{C}\p{Zl}\p{Zp}]{1,60}(?<! )$/u

const MAX_LOGO_KB = 64

const link = (page: string) => Type.Optional(text(`${page}, linked below the pages.`, 'be an http or https address'))

/** Settings of the operator's brand on the pages. */
export const brandSettings = {
  BRAND_NAME: text('Name on the pages.', 'be a name of at most 60 characters, without control characters', { default: 'Frontdesk' }),
  BRAND_LOGO: Type.Optional(text('File of a logo on the pages: SVG, PNG or WebP, at most 64 KB.', 'be the path of an image')),
  BRAND_COLOR: Type.Optional(text(
    'Color of buttons, links and focus outlines on the pages, such as `#0b6e4f`.',
    'be a color such as #0b6e4f',
    { pattern: '^#[0-9A-Fa-f]{6}$' }
  )),
  TERMS_URL: link('Terms of use'),
  PRIVACY_URL: link('Privacy policy'),
  SUPPORT_URL: Type.Optional(text('Where people get help, linked below the pages.', 'be an http, https or mailto address'))
}

type BrandSettings = Static<ReturnType<typeof Type.Object<typeof brandSettings>>>

const isPage = (text: string) => isAddress(text, ['http:', 'https:'])

/** Rules of {@link brandSettings}. @param env for INIT_CWD, which npm sets to the folder that relative paths start from */
export function brandRules (env: NodeJS.ProcessEnv) {
  return {
    forms: {
      BRAND_NAME: name => NAME.test(name),
      TERMS_URL: isPage,
      PRIVACY_URL: isPage,
      SUPPORT_URL: address => isAddress(address, ['http:', 'https:', 'mailto:'])
    },
    relations: [{
      names: ['BRAND_LOGO'],
      whyNot: ({ BRAND_LOGO: path }) => {
        try {
          readLogo(path, env)
          return null
        } catch (error) {
          return `BRAND_LOGO must be an SVG, PNG or WebP file of at most ${MAX_LOGO_KB} KB. ${error instanceof Error ? error.message : error}`
        }
      }
    }]
  } satisfies SettingsRules<BrandSettings>
}

/** The operator's brand on the pages. */
export interface Brand {
  readonly name: string
  /** Whether the operator has chosen a name. If so, the pages do not show this software's icon. */
  readonly isOwn: boolean
  /** Replaces the name on top of every page. `adapts`: it has other colors on dark pages. */
  readonly logo: Image & { readonly adapts: boolean } | undefined
  /** `#rrggbb`. */
  readonly color: string | undefined
  /** Links below the pages. */
  readonly links: ReadonlyArray<{ readonly text: LinkText, readonly href: string }>
}

/** The text of a link in English, and its name in other languages' texts. */
export type LinkText = 'Terms' | 'Privacy' | 'Help'

/** Converts settings that {@link brandRules} accept. @param env for INIT_CWD */
export function readBrand (settings: BrandSettings, env: NodeJS.ProcessEnv): Brand {
  const { BRAND_NAME: name, BRAND_LOGO: logo, BRAND_COLOR: color, TERMS_URL, PRIVACY_URL, SUPPORT_URL } = settings
  const links = [['Terms', TERMS_URL], ['Privacy', PRIVACY_URL], ['Help', SUPPORT_URL]] as const
  return Object.freeze({
    name,
    isOwn: name !== brandSettings.BRAND_NAME.default,
    logo: readLogo(logo, env),
    color,
    links: links.flatMap(([text, href]) => href === undefined ? [] : [{ text, href }])
  })
}

function readLogo (path: string | undefined, { INIT_CWD: folder }: NodeJS.ProcessEnv): Brand['logo'] {
  if (path === undefined) return undefined
  const image = readImage(resolve(folder ?? process.cwd(), path), ['SVG', 'PNG', 'WebP'], MAX_LOGO_KB)
  return { ...image, adapts: image.content.includes('prefers-color-scheme') }
}

function isAddress (text: string, protocols: readonly string[]): boolean {
  if (/\s/.test(text) || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return protocols.includes(protocol) && username + password === ''
}
