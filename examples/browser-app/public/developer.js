// The developer view: every request and answer, the token's claims, and the operations of the register that the desk does not need.
import { html, nothing } from './lit/lit-html.js'
import { refresh } from './list.js'
import { say, warn } from './messages.js'
import { curlOf } from './recorder.js'
import { refusalOf } from './refusal.js'
import { customers, end } from './session.js'
import { choose, state, update } from './state.js'
import { minutes } from './time.js'

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
        ${exchanges.length === 0 ? html`<p class="small">What this page asks from now on is listed here.</p>` : nothing}
        <ol class="exchanges">${exchanges.map(exchange => html`<li>${exchangeView(exchange)}</li>`)}</ol>
      </div>
      ${session
? html`<div>
        <h3>Access token</h3>
        <p class="small"><span role="timer" id="time-left">${minutes(session.left)}</span> left</p>
        <ul id="scopes">${session.scopes.map(scope => html`<li class="chip">${scope}</li>`)}</ul>
        <details><summary>Claims</summary><pre tabindex="0" aria-label="Claims">${session.claims ? JSON.stringify(session.claims, null, 2) : 'Not a JWT.'}</pre></details>
      </div>
      <div>
        <h3>Operations by name and number</h3>
        <form id="lookup" aria-label="Look up" @submit=${attempt(lookUp)}>
          <label for="lookup-customerid">Number</label>
          <input id="lookup-customerid" name="customerid" inputmode="numeric" autocomplete="off">
          <button>Look up the name</button>
          ${found === null ? nothing : html`<output>${found}</output>`}
        </form>
        <form id="move" aria-label="Move" @submit=${attempt(move)}>
          <label for="move-customername">Name</label>
          <input id="move-customername" name="customername" autocomplete="off">
          <label for="move-customeraddress">New address</label>
          <input id="move-customeraddress" name="customeraddress" autocomplete="off">
          <button>Move</button>
          ${candidates ? candidatesView() : nothing}
        </form>
      </div>`
: nothing}
    </div>
  </section>`
}

function exchangeView (exchange) {
  const { method, url, status, ms, failure, headers, body, answer = [], answerBody } = exchange
  const { pathname, search } = new URL(url, location.href)
  return html`<details>
    <summary><b>${method}</b> <span class="path">${pathname}${search}</span> <span class=${status >= 400 || failure ? 'bad' : 'good'}>${status ?? failure}</span> <span class="small">${ms} ms</span></summary>
    <pre tabindex="0" aria-label="Request">${method} ${url}\n${lines(headers)}${body ? `\n\n${body}` : ''}</pre>
    <pre tabindex="0" aria-label="Answer">${status ?? failure}\n${lines(answer)}${answerBody ? `\n\n${answerBody}` : ''}</pre>
    <button type="button" @click=${() => copy(curlOf(exchange))}>Copy as curl</button>
  </details>`
}

const lines = headers => headers.map(([name, value]) => `${name}: ${value}`).join('\n')

async function copy (text) {
  await navigator.clipboard.writeText(text).then(
    () => say('Copied. Set TOKEN to an access token.'),
    () => warn('The browser does not let this page copy.')
  )
}

/** Runs what a form asks for, and says why it is refused. */
function attempt (work) {
  return async event => {
    event.preventDefault()
    const form = event.target
    found = candidates = null
    try {
      await work(Object.fromEntries(new FormData(form)), form)
    } catch (error) {
      const { status, title, text, sentence, errors } = refusalOf(error)
      if (status === 401) return end(sentence)
      const details = Object.entries(errors).map(([field, detail]) => `${field}: ${detail}`)
      warn(title, { detail: [text, ...details].filter(Boolean).join(' ') })
    }
    update()
  }
}

async function lookUp ({ customerid }) {
  found = await customers.readName(encodeURIComponent(customerid))
}

async function move (fields, form) {
  try {
    await customers.move(fields)
    say(`${fields.customername} now lives at ${fields.customeraddress}.`)
    form.reset()
    await refresh()
  } catch (error) {
    const { total, candidates: namesakes = [] } = refusalOf(error)
    if (namesakes.length === 0) throw error
    // A number says little: look the addresses up, so that a person can choose.
    const choices = await Promise.all(namesakes.map(({ customerid }) => customers.read(customerid).catch(() => ({ customerid }))))
    candidates = { fields, form, total, choices }
  }
}

function candidatesView () {
  const { fields, form, total, choices } = candidates
  return html`<div role="alert"><p>Nothing was changed: ${total} customers have this name. Which one do you mean?</p></div>
    <ul class="candidates">${choices.map(({ customerid, customeraddress }) => html`<li><button type="button"
      @click=${() => attempt(() => move({ ...fields, customerid }, form))({ preventDefault () {}, target: form })}>Customer ${customerid}${customeraddress ? `, ${customeraddress}` : ''}</button></li>`)}</ul>
    ${total > choices.length ? html`<p class="small">${total - choices.length} more are not listed.</p>` : nothing}`
}

/** The ways to sign in, before it. */
export function grantsView () {
  const { developer, grant, popup } = state.settings
  if (!developer) return nothing
  const way = (value, label) => html`<label><input type="radio" name="grant" value=${value} .checked=${grant === value} @change=${() => choose({ grant: value })}>${label}</label>`
  return html`<fieldset><legend>Grant</legend>
    ${way('code', 'Authorization code with PKCE')}
    ${way('implicit', 'Implicit, for older apps')}
    <label><input type="checkbox" .checked=${popup} @change=${({ target }) => choose({ popup: target.checked })}>In a popup</label>
    ${grant === 'implicit'
? html`<p class="small">The token comes in the address of this page, and this app does not learn your name. "Sign out" then ends only the access of this app:
      <a href="${state.config.issuer}/sign-out">sign out of the authorization server</a> too.</p>`
: nothing}
  </fieldset>`
}
