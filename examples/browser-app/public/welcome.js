// The page before sign-in.
import { html, nothing } from './lit/lit-html.js'
import { live } from './lit/directives/live.js'
import { enter } from './session.js'
import { choose, state } from './state.js'

/** What sign-in means, and the button for it. */
export function welcomeView () {
  const { config: { issuer, customerUrl }, settings: { developer } } = state
  const { host } = new URL(issuer)
  return html`<main class="welcome"><section aria-labelledby="welcome-title">
    <img src="/icon.svg" alt="" width="40" height="40">
    <h1 id="welcome-title">Customer register</h1>
    <p>You enter your password only at <b>${host}</b>. This app learns your name and gets access that expires soon.</p>
    <button class="primary" id="sign-in" type="button" @click=${enter}>Sign in</button>
    ${developer ? grants() : nothing}
    <label class="switch"><input type="checkbox" role="switch" .checked=${live(developer)} @change=${({ target }) => choose({ developer: target.checked })}>Developer view</label>
  </section></main>
  <footer>Sign-in: ${host} (<a href="${issuer}/account">Your account</a>). Customers: ${new URL(customerUrl).host}.</footer>`
}

/** The ways to sign in, for developers. */
function grants () {
  const { config, settings: { grant, popup } } = state
  const way = (value, label) => html`<label><input type="radio" name="grant" .checked=${grant === value} @change=${() => choose({ grant: value })}>${label}</label>`
  return html`<fieldset><legend>Grant</legend>
    ${way('code', 'Authorization code with PKCE')}
    ${way('implicit', 'Implicit, for older apps')}
    <label><input type="checkbox" .checked=${popup} @change=${({ target }) => choose({ popup: target.checked })}>In a popup</label>
    ${grant === 'code'
      ? nothing
      : html`<p class="small">The token comes in the address of this page, and this app does not learn your name. "Sign out" then ends
        only the access of this app: <a href="${config.issuer}/sign-out">sign out of the authorization server</a> too.</p>`}
  </fieldset>`
}
