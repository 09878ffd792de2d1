// Right after a sign-in, has the password manager save a passkey, if it can without asking.
const upgrade = async form => {
  const api = window.PublicKeyCredential
  const { conditionalCreate = false } = await api?.getClientCapabilities?.() ?? {}
  if (!conditionalCreate) return
  const publicKey = api.parseCreationOptionsFromJSON(JSON.parse(form.dataset.upgrade))
  form.elements.code.value = JSON.stringify(await navigator.credentials.create({ publicKey, mediation: 'conditional' }))
  form.submit()
}
upgrade(document.querySelector('[data-upgrade]')).catch(() => {})
