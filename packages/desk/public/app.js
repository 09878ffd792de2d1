// Starts the page. Continue with page.js, which renders it; session.js, for sign-in; list.js and panel.js, for the register.
import { onPlace } from './address.js'
import { t } from './language.js'
import { render } from './lit/lit-html.js'
import { watchConnection } from './parts/connection.js'
import { syncDialogs } from './parts/dialog.js'
import { wireKeyboard } from './parts/keyboard.js'
import { say, warn } from './parts/messages.js'
import { takeAnswer } from './sign-in/oauth.js'
import { cameBack } from './sign-in/openid.js'
import { pageView, watchBar } from './page.js'
import { handOver, onHandOver } from './popup.js'
import { record } from './developer/recorder.js'
import { canResume, receive, resume } from './session.js'
import { showPlace } from './show-place.js'
import { onUpdate, state, update } from './state.js'
import { takeUp } from './step-up.js'
import { scrolled } from './list/table.js'

/** What the desk needs of the register, and of the directory of users. */
const scope = 'customer:read customer:write customer:delete directory:read customer:undo'
/** After a redirect that the browser cancelled, the user can still sign in. */
const LEAVING_MS = 5_000

const page = document.getElementById('page')
const answer = takeAnswer()
// Until the first update, the page shows what the server has rendered.
onUpdate(() => {
  page.replaceChildren()
  onUpdate(draw)
  draw()
})
if (answer !== null && handOver(answer)) warn(t('session.done'))
else await start()

async function start () {
  record()
  Object.assign(state, { config: { ...JSON.parse(document.getElementById('settings').textContent), scope } })
  wireKeyboard()
  onHandOver(receiveAndGoOn)
  onPlace(showPlace)
  watchConnection()
  // From the back/forward cache, after what happened in the meantime.
  addEventListener('pageshow', ({ persisted }) => { if (persisted) location.reload() })
  if (await signInAgain()) await new Promise(resolve => setTimeout(resolve, LEAVING_MS))
  await update()
  document.body.ariaBusy = 'false'
}

/** Signs in with the response in the address, or without a question. @returns whether the page is about to leave */
async function signInAgain () {
  if (answer !== null) return receiveAndGoOn(answer)
  if (cameBack()) say(t('session.signedOutOfBoth', { host: new URL(state.config.issuer).host }))
  else if (canResume()) return resume()
}

async function receiveAndGoOn (answer) {
  const { isLeaving, isStepUp } = await receive(answer)
  if (!isLeaving) takeUp({ isStepUp })
  return isLeaving
}

function draw () {
  render(pageView(), page)
  const { config, session } = state
  if (config) document.title = `${t(session ? 'desk.customers' : 'desk.title')} · ${config.brand.name}`
  syncDialogs()
  watchBar()
  const end = document.getElementById('end')
  // Observing it again tells whether the end is still in view after the new rows.
  scrolled.disconnect()
  if (end) scrolled.observe(end)
}
