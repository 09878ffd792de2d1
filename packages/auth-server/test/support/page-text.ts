/** Names and technical terms, which stay in every language. */
const NAMES = /Frontdesk|An app|app\.example|id\.example|new@example\.com|ann|XXXX-XXXX|application\/x-www-form-urlencoded|[\w-]{36}|[A-Z]{2,}/g

/** The text of a page that people read, without names, what is in another language, and the switch. */
export function textOf ({ body }: { body: string }): string {
  return body.replace(/<(script|style)\b[^]*?<\/\1>|<form class="languages"[^]*?<\/form>|<(?!html\b)(\w+)[^>]* lang="(?:en|de|fr|es|ar|pt-BR)"[^]*?<\/\2>|<(code|bdi|time)\b[^]*?<\/\3>/g, ' ')
    .replace(/<[^>]*>/g, ' ').replace(/&#?\w+;/g, ' ').replace(NAMES, ' ').replace(/\s+/g, ' ').trim()
}
