// Starts the page. Continue with page.js, which renders it; session.js, for sign-in; list.js and panel.js, for the register.
import { onPlace } from './address.js'
import { render } from './lit/lit-html.js'
import { syncDialogs } from './parts/dialog.js'
import { wireKeyboard } from './parts/keyboard.js'
import { refresh } from './list/list.js'
import { say, warn } from './parts/messages.js'
import { handOver, onHandOver, takeAnswer } from './sign-in/oauth.js'
import { cameBack } from './sign-in/openid.js'
import { pageView } from './page.js'
import { record } from './developer/recorder.js'
import { receive } from './session.js'
import { showPlace } from './show-place.js'
import { onUpdate, state, update } from './state.js'
import { takeUp } from './step-up.js'
import { scrolled } from './list/table.js'

const receiveAndGoOn = async answer => takeUp({ isStepUp: await receive(answer) === 'step-up' })

const answer = takeAnswer()
onUpdate(draw)
if (answer !== null && handOver(answer)) warn('You\'re signed in. You can close this window.')
else await start()

async function start () {
  record()
  const config = await fetch('/config.json').then(response => response.json()).catch(() => null)
  if (!config) return warn('This app can\'t read its settings. Reload the page.')
  await update({ config })
  wireKeyboard()
  onHandOver(receiveAndGoOn)
  onPlace(showPlace)
  addEventListener('online', () => { if (state.list?.stale || state.list?.error) refresh() })
  if (answer !== null) await receiveAndGoOn(answer)
  document.body.ariaBusy = 'false'
  if (cameBack()) say(`You're signed out of this app and ${new URL(config.issuer).host}.`)
}

function draw () {
  render(pageView(), document.getElementById('page'))
  document.title = `${state.session ? 'Customers' : 'Customer register'} · Frontdesk`
  syncDialogs()
  const end = document.getElementById('end')
  // Observing it again tells whether the end is still in view after the new rows.
  scrolled.disconnect()
  if (end) scrolled.observe(end)
}
