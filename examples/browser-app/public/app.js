// The page: what each button and form does. Start reading here.
import { wireList } from './browse.js'
import { Customers, Refusal } from './customers.js'
import { wireEdit } from './edit.js'
import { handOver, onHandOver, readAnswer, signIn, takeAnswer } from './oauth.js'
import { cameBack, signOutThere } from './openid.js'
import { SignInError } from './provider.js'
import { clearNotes, element, fieldList, offerCandidates, say, showRefusal, warn } from './result.js'
import { showSession, showSignedOut } from './session.js'
import { renew, revoke } from './tokens.js'

const byId = id => document.getElementById(id)
const answer = takeAnswer()
if (answer !== null && handOver(answer)) say('You are signed in. You can close this window.')
else await start()

async function start () {
  const config = await fetch('/config.json').then(response => response.json()).catch(() => null)
  if (!config) return warn('This app cannot read its settings. Reload the page.')
  // The tokens live in here and nowhere else: closing or reloading the page forgets them.
  let tokens = null
  let customers = null

  for (const part of document.querySelectorAll('[data-host]')) part.textContent = new URL(config[part.dataset.host]).host
  for (const part of document.querySelectorAll('[data-at-issuer]')) part.href = `${config.issuer}${part.dataset.atIssuer}`

  for (const button of document.querySelectorAll('[data-flow]')) {
    const { flow, popup } = button.dataset
    button.addEventListener('click', () => signIn(config, { flow, popup: popup !== undefined }).catch(explain))
  }
  byId('sign-out').addEventListener('click', async () => {
    const { idToken } = tokens
    const revoking = revoke(tokens, config)
    forget()
    say('You are signed out of this app.')
    const revoked = await revoking
    // The person has signed in again meanwhile.
    if (tokens) return
    if (revoked && idToken) await signOutThere(idToken, config).catch(explain)
    else if (revoked) say('You are signed out of this app. Its access has ended.')
    else warn('You are signed out of this app, but its access is still valid. Remove it at "Your account", below.')
  })
  onHandOver(enter)
  const list = wireList(() => tokens?.scopes.includes('customer:read') ? customers : null, customer => open(customer), refused)
  const open = wireEdit(() => customers, list.refresh, refused)
  for (const [id, action] of Object.entries({ register, lookup, move, remove })) wire(byId(id), action)
  if (answer) await enter(answer)
  else forget()
  if (cameBack()) say(`You are signed out of this app and of ${new URL(config.issuer).host}.`)

  async function enter (answer) {
    if (!await hold(readAnswer(answer, config))) return
    say('You are signed in.')
    await list.refresh()
  }

  /** Works with the tokens that come, until they end. */
  async function hold (coming) {
    const before = tokens
    try {
      const came = await coming
      // Signed out meanwhile.
      if (tokens !== before) return revoke(came, config).then(() => false)
      tokens = came
      customers = new Customers(config.customerUrl, tokens.token)
      showSession(tokens, whenEnded)
      return true
    } catch (error) {
      forget()
      explain(error)
      return false
    }
  }

  function whenEnded () {
    if (tokens.refresh) return hold(renew(tokens, config))
    forget()
    warn('The token has expired. Sign in again.')
  }

  /** Says why the service said no. A token that it does not take any more is of no use. */
  function refused (refusal, form) {
    if (refusal.status === 401) forget()
    showRefusal(refusal, form)
  }

  function forget () {
    tokens = null
    customers = null
    list.clear()
    for (const dialog of document.querySelectorAll('dialog')) dialog.close()
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
      if (form.id !== 'lookup') await list.refresh()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused(error, form)
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

/** Says why a sign-in or a sign-out failed. @throws any other error */
function explain (error) {
  if (!(error instanceof SignInError)) throw error
  warn(error.message)
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
