/** Media type of a document in Markdown (RFC 7763 §2). */
export const MARKDOWN = 'text/markdown; charset=utf-8'

/** A document for `/llms.txt`: the pages that programs read (https://llmstxt.org). */
interface LinkList {
  readonly title: string
  /** One sentence. */
  readonly summary: string
  readonly links: readonly MarkdownLink[]
}

interface MarkdownLink {
  readonly text: string
  readonly url: string
  readonly description: string
}

/** Writes a {@link LinkList}. */
export function renderLinks ({ title, summary, links }: LinkList): string {
  const items = links.map(({ text, url, description }) => `- [${text}](${url}): ${description}`)
  return renderMarkdown([`# ${title}`, `> ${summary}`, '## Documentation', items.join('\n')])
}

/** Writes a document. @param blocks such as headings, paragraphs and lists; `undefined` is left out */
export function renderMarkdown (blocks: ReadonlyArray<string | undefined>): string {
  return `${blocks.filter(block => block !== undefined).join('\n\n')}\n`
}

/** Escapes plain text for Markdown (CommonMark §2.4). Underscores within words have no meaning there. */
export function escapeMarkdown (text: string): string {
  return text.replace(/[\\`*<[\]]/g, '\\$&')
}

/** A block of code. */
export function codeBlock (code: string, language = ''): string {
  return `\`\`\`${language}\n${code.trimEnd()}\n\`\`\``
}

/** Splits the name of a page: with `.md` after it, the page is Markdown. */
export function splitMarkdownName (text: string): { name: string, isMarkdown: boolean } {
  return { name: text.replace(/\.md$/, ''), isMarkdown: text.endsWith('.md') }
}
