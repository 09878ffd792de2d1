import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { brandFooter, brandMarkup } from '../brand/markup.js'
import type { Brand, LinkText } from '../brand/settings.js'
import { readStylesheet } from './asset.js'
import { escape } from './html.js'

/** Pages that contain their style and icon: they request only the brand's logo, if there is one. */
export interface PlainPages {
  /** Their `Content-Security-Policy`. */
  readonly csp: string
  /** @param content HTML */
  readonly render: (title: string, content: string, options?: PlainPageOptions) => string
}

interface PlainPageOptions {
  /** `document` for a page to read; default: a message. */
  readonly kind?: 'document'
  /** Its tag (BCP 47); default: `en`. */
  readonly language?: string
  /** Default: `ltr`. */
  readonly direction?: string
  /** Texts of the brand's links. */
  readonly linkTexts?: Readonly<Record<LinkText, string>>
}

/** Reads the style and the icon of plain pages. @param icon an SVG file */
export async function readPlainPages (icon: URL, brand: Brand): Promise<PlainPages> {
  const style = await readStylesheet([], brand.color)
  const mark = brandMarkup(brand, `<span aria-hidden="true">${await readFile(icon, 'utf8')}</span>`)
  return {
    csp: `default-src 'none'; style-src ${hashSource(style)}; img-src 'self'; base-uri 'none'; frame-ancestors 'none'`,
    render: (title, content, { kind, language = 'en', direction = 'ltr', linkTexts } = {}) => `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)} · ${escape(brand.name)}</title>
<style>${style}</style>
</head>
<body${kind === undefined ? '' : ` class="${kind}"`}>
<header><p class="brand">${mark}</p></header>
<main><h1>${escape(title)}</h1>${content}</main>
${brandFooter(brand, text => linkTexts?.[text] ?? text)}
</body>
</html>`
  }
}

/** The CSP source of an inline script or style (CSP3 §8.3). */
export function hashSource (text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/**
 * Whether a browser navigates to the URL: browsers accept HTML first, then XHTML, and send no token. Programs can accept
 * HTML, too: `java.net.URLConnection` sends `text/html, image/gif, …`.
 */
export function isBrowser ({ accept = '', authorization }: { accept?: string | undefined, authorization?: string | undefined }): boolean {
  return authorization === undefined && /^\s*text\/html\s*(,\s*application\/xhtml\+xml|$)/i.test(accept)
}
