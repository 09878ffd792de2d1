// The developer view: every request and response, the token's claims, and the register operations that the desk does not use.
import { list, rich, t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { repeat } from '../lit/directives/repeat.js'
import { refresh } from '../list/list.js'
import { say, warn } from '../parts/messages.js'
import { button, minutes } from '../parts/parts.js'
import { curlOf } from './recorder.js'
import { customers, refusalOf } from '../register.js'
import { choose, state, update } from '../state.js'

/** What "Look up" found, or the customers that "Move" must choose from. */
let found = null
let candidates = null

/** The view, at the bottom of the page. */
export function developerView () {
  const { settings, session, exchanges } = state
  if (!settings.developer) return nothing
  return html`<section id="developer" aria-labelledby="developer-title">
    <header><h2 id="developer-title">${t('welcome.developerView')}</h2>${button(t('developer.off'), () => choose({ developer: false }), 'quiet')}</header>
    <div class="columns">
      <div>
        <h3>${t('developer.requests')}</h3>
        ${exchanges.length === 0 ? html`<p class="small">${t('developer.none')}</p>` : nothing}
        <ol class="exchanges">${repeat(exchanges, exchange => exchange, exchangeView)}</ol>
      </div>
      ${session ? [tokenView(session), operationsView()] : nothing}
    </div>
  </section>`
}

function exchangeView (exchange) {
  const { method, url, headers, body, ms, outcome, isGood, answer = [], answerBody } = exchange
  const { pathname, search } = new URL(url, location.href)
  return html`<li><details>
    <summary><b>${method}</b> <span class="path">${pathname}${search}</span> <span class=${isGood ? 'good' : 'bad'}>${outcome}</span> <span class="small">${t('developer.duration', { ms })}</span></summary>
    ${message(t('developer.request'), `${method} ${url}`, headers, body)}
    ${message(t('developer.response'), outcome, answer, answerBody)}
    ${button(t('developer.copy'), () => copy(curlOf(exchange)))}
  </details></li>`
}

function message (label, first, headers, body) {
  const lines = [first, ...headers.map(([name, value]) => `${name}: ${value}`), ...(body ? ['', body] : [])]
  return html`<pre tabindex="0" aria-label=${label}>${lines.join('\n')}</pre>`
}

const copy = text => navigator.clipboard.writeText(text)
  .then(() => say(t('developer.copied')), () => warn(t('developer.notCopied')))

const tokenView = ({ left, scopes, claims }) => html`<div>
  <h3>${t('developer.token')}</h3>
  <p class="small">${rich('developer.left', { time: html`<span role="timer" id="time-left">${minutes(left)}</span>` })}</p>
  <ul id="scopes">${scopes.map(scope => html`<li class="chip">${scope}</li>`)}</ul>
  <details><summary>${t('developer.claims')}</summary>
    <pre tabindex="0" aria-label=${t('developer.claims')}>${claims ? JSON.stringify(claims, null, 2) : t('developer.notJwt')}</pre></details>
</div>`

const operationsView = () => html`<div>
  <h3>${t('developer.operations')}</h3>
  <form id="lookup" aria-label=${t('developer.lookUp')} @submit=${submit(lookUp)}>
    ${input('lookup', 'customerid', t('field.customerid'))}
    <button>${t('developer.lookUpName')}</button>
    ${found === null ? nothing : html`<output>${found}</output>`}
  </form>
  <form id="move" aria-label=${t('developer.move')} @submit=${submit(move)}>
    ${input('move', 'customername', t('field.customername'))}
    ${input('move', 'customeraddress', t('developer.newAddress'))}
    <button>${t('developer.move')}</button>
    ${candidates ? candidatesView() : nothing}
  </form>
</div>`

const input = (form, name, label) => html`<label for="${form}-${name}">${label}</label>
  <input id="${form}-${name}" name=${name} inputmode=${name === 'customerid' ? 'numeric' : 'text'} autocomplete="off">`

const submit = work => event => {
  event.preventDefault()
  attempt(() => work(Object.fromEntries(new FormData(event.target))))
}

async function attempt (work) {
  found = candidates = null
  try {
    await work()
  } catch (error) {
    const { title, text, errors } = refusalOf(error)
    const details = Object.entries(errors).map(([field, error]) => t('import.lineError', { field, error }))
    warn(title, { detail: [text, ...details].filter(Boolean).join(' ') })
  }
  update()
}

const lookUp = async ({ customerid }) => { found = await customers.readName(encodeURIComponent(customerid)) }

async function move (fields) {
  try {
    await customers.move(fields)
    await refresh()
    say(t('developer.moved', { name: fields.customername, address: fields.customeraddress }))
  } catch (error) {
    const { total, candidates: namesakes = [] } = refusalOf(error)
    if (namesakes.length === 0) throw error
    // Numbers say little: look up the addresses, so that the user can choose.
    const choices = await Promise.all(namesakes.map(({ customerid }) => customers.read(customerid).catch(() => ({ customerid }))))
    candidates = { fields, total, choices }
  }
}

function candidatesView () {
  const { fields, total, choices } = candidates
  const choice = ({ customerid, customeraddress }) => {
    const label = list([t('customer.unnamed', { number: customerid }), customeraddress].filter(Boolean))
    return html`<li>${button(label, () => attempt(() => move({ ...fields, customerid })))}</li>`
  }
  return html`<div role="alert"><p>${t('developer.candidates', { count: total })}</p></div>
    <ul class="candidates">${choices.map(choice)}</ul>
    ${total > choices.length ? html`<p class="small">${t('developer.notListed', { count: total - choices.length })}</p>` : nothing}`
}
