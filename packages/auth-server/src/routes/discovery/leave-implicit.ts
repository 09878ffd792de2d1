import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { codeBlock, MARKDOWN } from '@frontdesk/service-kit/pages/markdown'
import { readFile } from 'node:fs/promises'
import type { Config } from '../../config.js'
import { page } from '../responses.js'
import { renderArticle } from './article.js'

/**
 * `GET /leave-implicit`: a guide for developers to leave the implicit grant; `GET /leave-implicit.md`: the same in Markdown. The
 * `Link` header of deprecated responses leads here.
 */
const leaveImplicit: FastifyPluginAsyncTypebox<Pick<Config, 'issuer' | 'brand'>> = async function leaveImplicit (fastify, config) {
  let guide: Promise<string> | undefined
  let article: ReturnType<typeof renderArticle> | undefined
  const read = async () => await (guide ??= readGuide(config))

  fastify.get('/leave-implicit', {
    schema: {
      operationId: 'explainLeavingImplicit',
      summary: 'Guide: leave the implicit grant',
      tags: ['OAuth 2.0'],
      response: { 200: page }
    }
  }, async (request, reply) => {
    article ??= read().then(renderArticle)
    return await reply.page('article', { ...await article, isDocument: true, isEnglish: true })
  })

  fastify.get('/leave-implicit.md', { schema: { hide: true } }, async (request, reply) =>
    reply.sendDocument(Buffer.from(await read()), MARKDOWN))
}
export default leaveImplicit

/** Reads the guide, and inserts the code and this server's URLs. */
async function readGuide ({ issuer, brand }: Pick<Config, 'issuer' | 'brand'>): Promise<string> {
  const view = async (name: string) => await readFile(new URL(`../../../../views/${name}`, import.meta.url), 'utf8')
  const [guide, code] = await Promise.all(['leave-implicit.md', 'leave-implicit.js'].map(view)) as [string, string] // as: two files.
  const help = brand.links.find(({ text }) => text === 'Help')?.href
  return guide
    .replace(codeBlock('', 'js sign-in.js'), () => codeBlock(code, 'js sign-in.js'))
    .replace(/\[(.*?)\]\(https:\/\/help\.example\)/, (link, text: string) => help === undefined ? text : `[${text}](${help})`)
    .replaceAll(encodeURIComponent('https://auth.example'), () => encodeURIComponent(issuer))
    .replaceAll('https://auth.example', () => issuer)
    .replace('auth.example', () => new URL(issuer).host)
}
