import { escapeMarkdown, renderMarkdown } from '@frontdesk/service-kit/pages/markdown'
import type { Translator } from '../../languages/translator.js'
import { problems, type Problem } from '../../oauth/problems.js'

/** The page of an error in Markdown. @param prefix of every path */
export function explainInMarkdown ({ title, status, error, advice, fix }: Problem, t: Translator, prefix: string): string {
  return renderMarkdown([
    `# ${escapeMarkdown(t.text(title))}`,
    t(error === undefined ? 'error-page.status' : 'error-page.status-code', { status, error: error ?? '' }),
    `## ${t('error-page.for-people')}`,
    escapeMarkdown(t.text(advice)),
    ...(fix === undefined ? [] : [`## ${t('error-page.for-developers')}`, escapeMarkdown(fix)]),
    `[${t('error-page.all')}](${prefix}/problems.md)`
  ])
}

/** The list of errors in Markdown. */
export function listInMarkdown (t: Translator, prefix: string): string {
  const items = problems.map(({ name, status, title }) => `- [${status} ${escapeMarkdown(t.text(title))}](${prefix}/problems/${name}.md)`)
  return renderMarkdown([`# ${t('error-page.list-title')}`, t('error-page.list'), items.join('\n')])
}
