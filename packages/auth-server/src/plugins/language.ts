import { queryOf } from '@frontdesk/service-kit/path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import Negotiator from 'negotiator'
import { cookiesOf } from '../input/cookies.js'
import { findLanguage, languages, languageTags, PSEUDO, type Language } from '../languages/languages.js'
import { translator, type Translator } from '../languages/translator.js'
import { LANGUAGE_TTL } from '../lifetimes.js'
import type { LanguageConfig } from '../settings/language.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** `ui_locales` of a request that is not in the address (OpenID Connect Core §3.1.2.1). */
    uiLocales: string | string[] | undefined
    /** What a page needs to switch the language: the path to return to, and the languages. */
    readonly languageSwitch: LanguageSwitch
  }
  interface FastifyReply {
    /** The translator of the page's language. */
    translator: () => Promise<Translator>
    /** Remembers the language that was chosen in this browser; `null` forgets it. */
    setLanguage: (language: Language | null) => void
  }
}

interface LanguageSwitch { readonly back: string, readonly languages: ReadonlyArray<{ readonly tag: Language, readonly name: string }> }

/** Longest `ui_locales` that is read, in characters. */
const MAX_UI_LOCALES = 200

const offered = languageTags.map(tag => ({ tag, name: languages[tag].name }))

interface Options extends LanguageConfig { readonly issuer: string }

/**
 * The language of a page: the one chosen in this browser, that of `ui_locales`, of the signed-in user, of the browser
 * (`Accept-Language`), or the default.
 */
export default fp<Options>(async function language (fastify, { defaultLanguage, issuer }) {
  const { name, attributes } = cookiesOf(issuer)
  const cookie = name('language')
  const found = new WeakMap<FastifyRequest, Promise<Translator>>()

  fastify.decorateRequest('uiLocales', undefined)
  fastify.decorateRequest('languageSwitch', {
    getter (this: FastifyRequest) {
      // A page that answers a form has its own path, if that can be opened.
      const isOpen = this.method === 'GET' || fastify.methodsAt(this.url).includes('GET')
      return { back: isOpen ? this.originalUrl : '', languages: offered }
    }
  })
  fastify.decorateReply('translator', function translatorOf (this: FastifyReply) {
    const known = found.get(this.request) ?? choose(this).then(translator)
    found.set(this.request, known)
    return known
  })
  fastify.decorateReply('setLanguage', function setLanguage (this: FastifyReply, language: Language | null) {
    if (language === null) this.clearCookie(cookie, attributes)
    else this.setCookie(cookie, language, { ...attributes, maxAge: LANGUAGE_TTL })
  })

  async function choose (reply: FastifyReply): Promise<Language | typeof PSEUDO> {
    if (defaultLanguage === PSEUDO) return PSEUDO
    const { request } = reply
    // A malformed address is refused before cookies are read.
    const chosen = findLanguage([request.cookies?.[cookie] ?? '']) ?? findLanguage(uiLocalesOf(request))
    if (chosen !== undefined) return chosen
    // The default first: it is what a browser gets that accepts any.
    const accepted = new Negotiator(request.raw).languages([defaultLanguage, ...languageTags])
    return findLanguage([await ownLocale(reply)]) ?? findLanguage(accepted) ?? defaultLanguage
  }
}, { name: 'language', fastify: '5.x', dependencies: ['session', 'allowed-methods'] })

/** The signed-in user's language; empty without one. */
async function ownLocale ({ request, statusCode }: FastifyReply): Promise<string> {
  // The page of a fault must not wait for the database, or fail with it.
  if (request.locale === undefined && statusCode < 500) await request.session().catch(() => null)
  return request.locale ?? ''
}

function uiLocalesOf ({ uiLocales, url }: FastifyRequest): string[] {
  const value = uiLocales ?? new URLSearchParams(queryOf(url)).get('ui_locales')
  return typeof value === 'string' ? value.slice(0, MAX_UI_LOCALES).split(' ') : []
}
