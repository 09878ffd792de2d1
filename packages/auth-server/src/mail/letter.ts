import { Eta } from 'eta'
import type { Mail } from './mailer.js'
import type { Recipient } from './recipient.js'

/** An email: its paragraphs before and after its link, if it has one, and the words of the link. */
interface Letter extends Pick<Recipient, 'to' | 't'> {
  readonly subject: string
  readonly before: readonly string[]
  readonly link?: string
  readonly action?: string
  readonly after: readonly string[]
}

/** One column without images or styles: the reader's colors and fonts. */
const HTML = new Eta().compile(`<!doctype html>
<html lang="<%= it.t.language %>" dir="<%= it.t.direction %>">
<head><meta charset="utf-8"><title><%= it.subject %></title></head>
<body>
<% for (const paragraph of it.before) { %><p><%= paragraph %></p>
<% } %><% if (it.link) { %><p><a href="<%= it.link %>"><%= it.action %></a></p>
<% } %><% for (const paragraph of it.after) { %><p><%= paragraph %></p>
<% } %></body>
</html>
`)

/** Writes an email in plain text and in HTML. */
export function writeLetter ({ to, subject, ...letter }: Letter): Mail {
  const { before, link, after } = letter
  const text = `${[...before, ...link === undefined ? [] : [link], ...after].join('\n\n')}\n`
  return { to, subject, text, html: new Eta().render(HTML, { subject, ...letter }) }
}
