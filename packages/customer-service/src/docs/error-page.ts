import type { Problem } from '@frontdesk/schemas/problem'
import { escape } from './html.js'
import type { PlainPages } from './plain-page.js'

/** Renders a problem as a page, for people who open a URL in a browser, whatever address they know the service by. */
export function renderErrorPage ({ type, title, detail = '', requestId = '' }: Problem, pages: PlainPages): string {
  return pages.render(title, `
<p>${escape(detail)}</p>
<p><a href="${escape(new URL(type).pathname)}">What this means and what to do</a></p>
<p class="note">Reference: <code>${escape(requestId)}</code></p>`)
}

/**
 * Whether a browser opens the URL: all browsers accept HTML first, then XHTML, and send no token. Programs may accept HTML
 * too: `java.net.URLConnection` sends `text/html, image/gif, …`.
 */
export function isBrowser ({ accept = '', authorization }: { accept?: string | undefined, authorization?: string | undefined }): boolean {
  return authorization === undefined && /^\s*text\/html\s*(,\s*application\/xhtml\+xml|$)/i.test(accept)
}
