import { brandMarkup } from '@frontdesk/service-kit/brand/markup'
import { createAsset, readAsset, type Asset } from '@frontdesk/service-kit/pages/asset'
import { Eta } from 'eta'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { readFile } from 'node:fs/promises'
import type { Config } from '../config.js'
import { languageOf, languages, names, tags, type Language } from '../languages/languages.js'
import { readPageFiles, TEXTS } from '../page-files.js'

const VIEW = new URL('../../../views/page.eta', import.meta.url)

/** The files that the view links. */
const LINK = /<%= it\.base %>\/([\w./-]+)"/g

/**
 * `GET /` and `GET /callback`: the page, with its settings, in the user's language. `GET /assets/{version}/{language}/{path}`: its
 * files, of which only the texts depend on the language. The version makes them immutable; the files of another version, which a
 * replica may serve during an update, are revalidated.
 */
export default async function page (fastify: FastifyInstance, { config }: { config: Config }) {
  const { brand, issuer, customerUrl, clientId, defaultLanguage } = config
  const view = await readFile(VIEW, 'utf8')
  const linked = [...view.matchAll(LINK)].map(([, path]) => path!)
  const { files, modules, version } = await readPageFiles(linked, brand.color)
  const settings = { issuer, customerUrl, clientId, brand: { name: brand.name, links: brand.links }, languages: names }
  const shown = {
    modules,
    brand,
    origins: [...new Set([issuer, customerUrl].map(address => new URL(address).origin))],
    settings: JSON.stringify(settings).replaceAll('<', '\\u003c')
  }
  const eta = new Eta()
  const pages = forEachLanguage(language => {
    const base = `/assets/${version}/${language}`
    const mark = brandMarkup(brand, `<img src="${base}/icon.svg" alt="" width="24" height="24">`)
    return createAsset(eta.renderString(view, { ...shown, base, mark, language, t: languages[language] }), 'page.html')
  })
  for (const path of ['/', '/callback']) {
    fastify.get(path, ({ headers }, reply) =>
      reply.header('vary', 'Accept-Language, Cookie').sendAsset(pages[languageOf(headers, defaultLanguage)], 'no-cache'))
  }

  const texts = forEachLanguage(language => createAsset(`export default ${JSON.stringify(languages[language])}`, TEXTS))
  const send = (asset: Asset, { version: requested }: AssetParams, reply: FastifyReply) =>
    reply.sendAsset(asset, requested === version ? 'public, max-age=31536000, immutable' : 'no-cache')
  fastify.get<{ Params: AssetParams }>(`/assets/:version/:language/${TEXTS}`, ({ params }, reply) =>
    send(texts[tags.find(tag => tag === params.language) ?? defaultLanguage], params, reply))
  for (const [path, asset] of files) {
    fastify.get<{ Params: AssetParams }>(`/assets/:version/:language/${path}`, ({ params }, reply) => send(asset, params, reply))
  }
  const { logo } = brand
  if (logo !== undefined) fastify.get(`/logos/${logo.name}`, (request, reply) => reply.sendImage(logo))
  const icon = await readAsset(new URL('../../../public/favicon.ico', import.meta.url))
  fastify.get('/favicon.ico', (request, reply) => reply.sendAsset(icon, 'public, max-age=86400'))
}

interface AssetParams { version: string, language: string }

function forEachLanguage<T> (create: (language: Language) => T): Record<Language, T> {
  // as: the keys are the tags.
  return Object.fromEntries(tags.map(tag => [tag, create(tag)])) as Record<Language, T>
}
