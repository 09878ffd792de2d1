// The developer view: every request and answer, the token's claims, and the operations of the register that the desk does not need.
import { html, nothing } from './lit/lit-html.js'
import { refresh } from './list.js'
import { say, warn } from './messages.js'
import { curlOf } from './recorder.js'
import { refusalOf } from './refusal.js'
import { customers } from './session.js'
import { choose, state, update } from './state.js'
import { minutes } from './words.js'

/** What "Look up" found, or among which customers "Move" has to choose. */
let found = null
let candidates = null

/** The view, at the foot of the page. */
export function developerView () {
  const { settings, session, exchanges } = state
  if (!settings.developer) return nothing
  return html`<section id="developer" aria-labelledby="developer-title">
    <header><h2 id="developer-title">Developer view</h2>
      <button class="quiet" type="button" @click=${() => choose({ developer: false })}>Turn off</button></header>
    <div class="columns">
      <div>
        <h3>Requests</h3>
        ${exchanges.length === 0 ? html`<p class="small">The next requests of this page are listed here.</p>` : nothing}
        <ol class="exchanges">${exchanges.map(exchangeView)}</ol>
      </div>
      ${session ? [tokenView(session), operationsView()] : nothing}
    </div>
  </section>`
}

function exchangeView (exchange) {
  const { method, url, headers, body, ms, outcome, isGood, answer = [], answerBody } = exchange
  const { pathname, search } = new URL(url, location.href)
  return html`<li><details>
    <summary><b>${method}</b> <span class="path">${pathname}${search}</span> <span class=${isGood ? 'good' : 'bad'}>${outcome}</span> <span class="small">${ms} ms</span></summary>
    ${message('Request', `${method} ${url}`, headers, body)}
    ${message('Answer', outcome, answer, answerBody)}
    <button type="button" @click=${() => copy(curlOf(exchange))}>Copy as curl</button>
  </details></li>`
}

function message (label, first, headers, body) {
  const lines = [first, ...headers.map(([name, value]) => `${name}: ${value}`), ...(body ? ['', body] : [])]
  return html`<pre tabindex="0" aria-label=${label}>${lines.join('\n')}</pre>`
}

function copy (text) {
  navigator.clipboard.writeText(text)
    .then(() => say('Copied. Set TOKEN to an access token.'), () => warn('The browser does not let this page copy.'))
}

function tokenView ({ left, scopes, claims }) {
  return html`<div>
    <h3>Access token</h3>
    <p class="small"><span role="timer" id="time-left">${minutes(left)}</span> left</p>
    <ul id="scopes">${scopes.map(scope => html`<li class="chip">${scope}</li>`)}</ul>
    <details><summary>Claims</summary><pre tabindex="0" aria-label="Claims">${claims ? JSON.stringify(claims, null, 2) : 'Not a JWT.'}</pre></details>
  </div>`
}

function operationsView () {
  return html`<div>
    <h3>Operations by name and number</h3>
    <form id="lookup" aria-label="Look up" @submit=${submit(lookUp)}>
      <label for="lookup-customerid">Number</label>
      <input id="lookup-customerid" name="customerid" inputmode="numeric" autocomplete="off">
      <button>Look up the name</button>
      ${found === null ? nothing : html`<output>${found}</output>`}
    </form>
    <form id="move" aria-label="Move" @submit=${submit(move)}>
      <label for="move-customername">Name</label>
      <input id="move-customername" name="customername" autocomplete="off">
      <label for="move-customeraddress">New address</label>
      <input id="move-customeraddress" name="customeraddress" autocomplete="off">
      <button>Move</button>
      ${candidates ? candidatesView() : nothing}
    </form>
  </div>`
}

/** Does with its fields what a form asks for. */
function submit (work) {
  return event => {
    event.preventDefault()
    attempt(() => work(Object.fromEntries(new FormData(event.target))))
  }
}

/** Does it, or says why it is refused. */
async function attempt (work) {
  found = candidates = null
  try {
    await work()
  } catch (error) {
    const { title, text, errors } = refusalOf(error)
    const details = Object.entries(errors).map(([field, detail]) => `${field}: ${detail}`)
    warn(title, { detail: [text, ...details].filter(Boolean).join(' ') })
  }
  update()
}

async function lookUp ({ customerid }) {
  found = await customers.readName(encodeURIComponent(customerid))
}

async function move (fields) {
  try {
    await customers.move(fields)
    await refresh()
    say(`${fields.customername} now lives at ${fields.customeraddress}.`)
  } catch (error) {
    const { total, candidates: namesakes = [] } = refusalOf(error)
    if (namesakes.length === 0) throw error
    // A number says little: look the addresses up, so that a person can choose.
    const choices = await Promise.all(namesakes.map(({ customerid }) => customers.read(customerid).catch(() => ({ customerid }))))
    candidates = { fields, total, choices }
  }
}

function candidatesView () {
  const { fields, total, choices } = candidates
  const choice = ({ customerid, customeraddress }) => html`<li><button type="button"
    @click=${() => attempt(() => move({ ...fields, customerid }))}>${[`Customer ${customerid}`, customeraddress].filter(Boolean).join(', ')}</button></li>`
  return html`<div role="alert"><p>Nothing was changed: ${total} customers have this name. Which one do you mean?</p></div>
    <ul class="candidates">${choices.map(choice)}</ul>
    ${total > choices.length ? html`<p class="small">${total - choices.length} more are not listed.</p>` : nothing}`
}
