// Creates or uses a passkey, and submits the response in the field of the code. Without a script, or in browsers that do not support
// passkeys, the buttons stay hidden.
for (const button of document.querySelectorAll('[data-passkey]')) {
  const [api, { form }] = [window.PublicKeyCredential, button]
  if (api?.parseRequestOptionsFromJSON === undefined) continue
  button.hidden = false
  for (const note of form.querySelectorAll('[data-without]')) note.hidden = true
  button.addEventListener('click', async () => {
    const failed = form.querySelector('[data-failed]')
    failed.hidden = true
    const options = JSON.parse(button.dataset.passkey)
    try {
      const response = options.user === undefined
        ? await navigator.credentials.get({ publicKey: api.parseRequestOptionsFromJSON(options) })
        : await navigator.credentials.create({ publicKey: api.parseCreationOptionsFromJSON(options) })
      form.elements.code.value = JSON.stringify(response)
      form.submit()
    } catch {
      failed.hidden = false
    }
  })
}
