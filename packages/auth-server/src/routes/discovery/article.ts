import { escape } from '@frontdesk/service-kit/pages/html'
import type { Tokens } from 'marked'

/** An article in HTML. */
interface Article {
  /** Plain text, as the texts of `contents`. */
  readonly title: string
  /** What comes before the first section. */
  readonly lead: string
  readonly contents: ReadonlyArray<{ readonly id: string, readonly text: string }>
  readonly sections: string
}

/** Renders an article in Markdown: a title, a lead, and sections with headings of level 2. Not for untrusted text: HTML is not escaped. */
export async function renderArticle (markdown: string): Promise<Article> {
  const { Marked } = await import('marked')
  const marked = new Marked({
    renderer: {
      heading ({ depth, text, tokens }) {
        return `<h${depth} id="${idOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      // It has the focus so that the keyboard can scroll it. Its accessible name is the info string after the language.
      code ({ text, lang = '' }) {
        return `<pre tabindex="0" aria-label="${escape(lang.replace(/^\S+ /, ''))}"><code>${escape(text)}</code></pre>\n`
      }
    },
    walkTokens: token => { if (token.type === 'table') nameRows(token as Tokens.Table) }
  })
  const [heading = '', lead = '', ...sections] = markdown.split(/^# (.*)\n|(?=^## )/m).filter(part => part)
  const contents = sections.map(section => /^## (.*)/.exec(section)?.[1] ?? '')
  return {
    title: heading,
    lead: await marked.parse(lead, { async: true }),
    contents: contents.map(text => ({ id: idOf(text), text })),
    sections: await marked.parse(sections.join(''), { async: true })
  }
}

/** Makes the first cell of each row its header, and the empty cell above these a plain cell. */
function nameRows ({ header, rows }: Tokens.Table): void {
  for (const [first] of rows) if (first !== undefined) first.header = true
  if (header[0] !== undefined) header[0].header = false
}

function idOf (heading: string): string {
  return heading.toLowerCase().replaceAll(' ', '-')
}
