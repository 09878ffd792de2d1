import { escape } from '../pages/html.js'
import type { Brand, LinkText } from './settings.js'

/** The brand on top of a page: its logo or its name. @param icon HTML of this software's icon @param base path of `/logos` */
export function brandMarkup ({ name, isOwn, logo }: Brand, icon: string, base = ''): string {
  if (logo === undefined) return `${isOwn ? '' : icon}${escape(name)}`
  return `<img class="logo${logo.adapts ? '' : ' plate'}" src="${base}/logos/${logo.name}" alt="${escape(name)}">`
}

/** The brand's links at the end of a page; empty if it has none. @param words their texts in another language */
export function brandFooter ({ links }: Brand, words = (text: LinkText): string => text): string {
  const anchors = links.map(({ text, href }) => `<a href="${escape(href)}">${escape(words(text))}</a> `)
  return anchors.length === 0 ? '' : `<footer>${anchors.join('')}</footer>`
}
