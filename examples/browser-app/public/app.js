// The page: what each button and form does. Start reading here.
import { Customers, Refusal } from './customers.js'
import { handOver, onHandOver, readAnswer, signIn, SignInError, takeAnswer } from './oauth.js'
import { clearNotes, element, fieldList, offerCandidates, say, showRefusal, warn } from './result.js'
import { showSession, showSignedOut } from './session.js'

const byId = id => document.getElementById(id)
const answer = takeAnswer()
if (answer !== null && handOver(answer)) say('You are signed in. You can close this window.')
else await start()

async function start () {
  const config = await fetch('/config.json').then(response => response.json()).catch(() => null)
  if (!config) return warn('This app cannot read its settings. Reload the page.')
  // The token lives in here and nowhere else: closing or reloading the page forgets it.
  let customers = null

  for (const part of document.querySelectorAll('[data-host]')) part.textContent = new URL(config[part.dataset.host]).host
  for (const part of document.querySelectorAll('[data-sign-out]')) part.href = `${config.issuer}/sign-out`

  byId('sign-in').addEventListener('click', () => signIn(config))
  byId('sign-in-popup').addEventListener('click', () => {
    if (!signIn(config, { popup: true })) warn('The browser blocked the popup. Allow popups for this page, or use the other button.')
  })
  byId('sign-out').addEventListener('click', () => {
    forget()
    say('You are signed out of this app. The token is forgotten.')
  })
  onHandOver(enter)
  for (const [id, action] of Object.entries({ register, lookup, move, remove })) wire(byId(id), action)
  if (answer) enter(answer)
  else forget()

  function enter (fragment) {
    try {
      const { token, scopes, endsAt } = readAnswer(fragment, config)
      customers = new Customers(config.customerUrl, token)
      showSession({ scopes, endsAt }, () => {
        forget()
        warn('The token has expired. Sign in again.')
      })
      say('You are signed in.')
    } catch (error) {
      if (!(error instanceof SignInError)) throw error
      forget()
      warn(error.message)
    }
  }

  function forget () {
    customers = null
    byId('confirm').close()
    showSignedOut()
  }

  function wire (form, action) {
    form.addEventListener('submit', event => {
      event.preventDefault()
      const fields = Object.fromEntries(new FormData(form, event.submitter))
      attempt(form, () => action(fields, form))
    })
  }

  /** Runs one call at a time for a form, and shows the refusal if it is refused. */
  async function attempt (form, call) {
    if (form.ariaBusy === 'true') return
    form.ariaBusy = 'true'
    clearNotes(form)
    try {
      await call()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.status === 401) forget()
      showRefusal(error, form)
    } finally {
      form.ariaBusy = 'false'
    }
  }

  async function register (fields, form) {
    const line = await customers.register(fields)
    say(`Customer ${fields.customerid} is registered.`, { line })
    form.reset()
  }

  async function lookup ({ customerid, as }) {
    if (as === 'record') {
      const { record, line } = await customers.record(customerid)
      say(`Customer ${customerid}`, { line, details: [fieldList(record)] })
    } else {
      const { name, line } = await customers.name(customerid)
      say(`Customer ${customerid} is called`, { line, details: [element('p', { className: 'name' }, name)] })
    }
  }

  async function move (fields, form) {
    try {
      const line = await customers.move(fields)
      say(`${fields.customername} now lives at ${fields.customeraddress}.`, { line })
      form.reset()
    } catch (error) {
      if (!error.problem?.candidates) throw error
      // A number says little: look the addresses up, so that a person can choose.
      const looks = await Promise.allSettled(error.problem.candidates.map(({ customerid }) => customers.record(customerid)))
      offerCandidates(error, looks.map(({ value }) => value?.record), customerid => {
        byId('result').focus()
        attempt(form, () => move({ ...fields, customerid }, form))
      })
    }
  }

  async function remove ({ customerid }, form) {
    if (!await isSure(`Remove customer ${customerid}?`)) return
    const line = await customers.remove(customerid)
    say(`Customer ${customerid} is removed.`, { line })
    form.reset()
  }
}

/** Asks before something that cannot be undone. */
function isSure (question) {
  const dialog = byId('confirm')
  dialog.querySelector('h2').textContent = question
  dialog.returnValue = ''
  dialog.showModal()
  return new Promise(resolve => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'remove'), { once: true })
  })
}
