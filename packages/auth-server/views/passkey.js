// Creates or uses a passkey, and submits the response in a field of the form. Without a script, or in browsers that do not support
// passkeys, the buttons stay hidden.
for (const button of document.querySelectorAll('[data-passkey]')) {
  const [api, { form, dataset }] = [window.PublicKeyCredential, button]
  if (api?.parseRequestOptionsFromJSON === undefined) continue
  const [options, failed, autofill] = [JSON.parse(dataset.passkey), form.querySelector('[data-failed]'), new AbortController()]
  const [submitter, ready] = [form.querySelector('button[name=decision]'), form.querySelector('[data-ready]')]

  const use = mediation => navigator.credentials.get({ publicKey: api.parseRequestOptionsFromJSON(options), ...mediation })
  const create = () => navigator.credentials.create({ publicKey: api.parseCreationOptionsFromJSON(options) })

  const enter = response => {
    const { code, passkey = code, username, password } = form.elements
    passkey.value = JSON.stringify(response)
    for (const field of [username, password]) if (field) field.disabled = true
  }

  // Passkeys among the suggestions for the user name. On a page that asks for permission, its button gives it.
  const offer = async () => {
    if (!await api.isConditionalMediationAvailable?.()) return
    const response = await use({ mediation: 'conditional', signal: autofill.signal }).catch(() => null)
    if (response === null) return
    enter(response)
    if (ready === null) return form.requestSubmit(submitter)
    ready.hidden = false
    button.hidden = true
    submitter.focus()
  }

  button.hidden = false
  for (const note of form.querySelectorAll('[data-without]')) note.hidden = true
  button.addEventListener('click', async () => {
    autofill.abort()
    failed.hidden = true
    try {
      enter(options.user === undefined ? await use() : await create())
      form.requestSubmit(submitter)
    } catch {
      failed.hidden = false
    }
  })
  if (dataset.autofill !== undefined) offer()
}
