import type { Problem } from '@frontdesk/schemas/problem'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { designFiles, readAsset } from './assets.js'

/** Pages that load no files: without the API reference, the service has no URLs for them. */
interface PlainPages {
  /** Their `Content-Security-Policy`. */
  csp: string
  /** @param content HTML @param kind `document` for a page to read; default: a message */
  render: (title: string, content: string, kind?: 'document') => string
}

/** Reads the stylesheet and the icon of plain pages. */
export async function readPlainPages (): Promise<PlainPages> {
  const style = (await readAsset(...designFiles())).content.toString()
  const icon = await readFile(new URL('../../../public/icon.svg', import.meta.url), 'utf8')
  return {
    csp: `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'`,
    render: (title, content, kind) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} · Frontdesk</title>
<style>${style}</style>
</head>
<body${kind === undefined ? '' : ` class="${kind}"`}>
<header><p class="brand"><span aria-hidden="true">${icon}</span>Frontdesk</p></header>
<main><h1>${escape(title)}</h1>${content}</main>
</body>
</html>`
  }
}

/** Renders a problem as a page for browsers. Its links are relative, as the service may have several addresses. */
export function renderErrorPage ({ type, title, detail = '', requestId = '' }: Problem, pages: PlainPages): string {
  return pages.render(title, `
<p>${escape(detail)}</p>
<p><a href="${escape(new URL(type).pathname)}">What this means and what to do</a></p>
<p class="note">Reference: <code>${escape(requestId)}</code></p>`)
}

/**
 * Whether a browser navigates to the URL: browsers accept HTML first, then XHTML, and send no token. Programs can accept
 * HTML, too: `java.net.URLConnection` sends `text/html, image/gif, …`.
 */
export function isBrowser ({ accept = '', authorization }: { accept?: string | undefined, authorization?: string | undefined }): boolean {
  return authorization === undefined && /^\s*text\/html\s*(,\s*application\/xhtml\+xml|$)/i.test(accept)
}

/** Escapes text for HTML, also for attributes in double quotes. */
export function escape (text: string): string {
  return text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
}
