// What the page shows of being signed in: who it is, the scopes granted, and the time that is left.

const session = document.getElementById('session')
const greeting = session.querySelector('#greeting')
const scopeList = session.querySelector('#scopes')
const timeLeft = session.querySelector('#time-left')
const whenSignedIn = document.querySelectorAll('[data-when=signed-in]')
const whenSignedOut = document.querySelectorAll('[data-when=signed-out]')
let ticking

/**
 * Shows a session and counts it down.
 * @param {{ name?: string, scopes: string[], endsAt: number }} grant
 * @param {() => void} ended called once, when the time is over
 */
export function showSession ({ name, scopes, endsAt }, ended) {
  greeting.textContent = name ? `Hello, ${name}` : ''
  const chips = scopes.map(scope => Object.assign(document.createElement('li'), { textContent: scope }))
  scopeList.replaceChildren(...chips)
  clearInterval(ticking)
  const tick = () => {
    const seconds = Math.ceil((endsAt - Date.now()) / 1000)
    if (seconds <= 0) {
      clearInterval(ticking)
      return ended()
    }
    timeLeft.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  }
  ticking = setInterval(tick, 1000)
  toggle(true)
  tick()
}

/** Shows the way in. What was typed into the forms stays there for after the next sign-in by popup. */
export function showSignedOut () {
  clearInterval(ticking)
  toggle(false)
}

function toggle (signedIn) {
  for (const part of whenSignedIn) part.hidden = !signedIn
  for (const part of whenSignedOut) part.hidden = signedIn
  // Focus must not stay on something that is gone.
  if (document.activeElement?.closest('[hidden]')) document.getElementById('result').focus()
}
