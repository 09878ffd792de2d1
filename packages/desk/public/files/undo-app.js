// Undoing what an app did: the user gives the app and the time, and then sees what would happen.
import { t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { live } from '../lit/directives/live.js'
import { button } from '../parts/parts.js'
import { may, state, update } from '../state.js'
import { undoChanges } from './undo.js'

const HOUR_MS = 3_600_000

/** `{ app, since }`: as in the form. */
let entered

/** Opens the form. */
export async function openUndoApp () {
  // A dialog of its own: it gets the focus.
  await update({ dialog: null })
  entered = { app: ownApp(), since: localTime(Date.now() - HOUR_MS) }
  update({ dialog: undoAppDialog })
}

function undoAppDialog () {
  return {
    title: t('undoApp.title'),
    body: html`<p>${t('undoApp.text')}</p>
      ${may('undo') ? nothing : html`<p>${t('undoApp.own')}</p>`}
      <div class="rule">${may('undo')
        ? html`<div class="field"><label for="undo-app">${t('undoApp.app')}</label>
            <input id="undo-app" dir="ltr" autocomplete="off" autocapitalize="none" spellcheck="false" required maxlength="2000"
              .value=${live(entered.app)} @input=${({ target }) => { entered.app = target.value }}></div>`
        : nothing}
      <div class="field"><label for="undo-since">${t('undoApp.since')}</label>
        <input id="undo-since" type="datetime-local" required autofocus max=${localTime(Date.now())}
          .value=${live(entered.since)} @input=${({ target }) => { entered.since = target.value }}></div></div>`,
    buttons: html`${button(t('cancel'), () => update({ dialog: null }))}
      <button class="primary" value="check">${t('undoApp.check')}</button>`,
    close: answer => { if (answer === 'check') undoChanges(whatEntered()) }
  }
}

const whatEntered = () => ({ client_id: entered.app.trim() || ownApp(), since: new Date(entered.since).toISOString() })

const ownApp = () => state.session.claims?.client_id ?? ''

/** A time in the form of an `<input type="datetime-local">`. */
function localTime (ms) {
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
