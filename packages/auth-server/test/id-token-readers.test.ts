import { getAuth, initOidcAuthMiddleware, oidcAuthMiddleware } from '@hono/oidc-auth'
import { Hono } from 'hono'
import t from 'tap'
import { runBeside } from './support/cli/frontdesk-auth.js'
import { serve } from './support/relying-party.js'

const ORIGIN = 'https://shop.example'

t.test('@hono/oidc-auth, which never calls /userinfo, learns name and email address with the settings of client add --for hono', async t => {
  const { issuer, allow, databaseUrl, stores } = await serve(t, {})
  await stores.profiles.change('ann', { name: 'Ann Example', email: 'ann@example.com', emailVerified: true })
  const { stdout } = await runBeside(
    ['client', 'add', 'shop', '--name', 'Shop', '--callback', `${ORIGIN}/callback`, '--grant', 'authorization_code', '--grant', 'refresh_token', '--for', 'hono'],
    { DATABASE_URL: databaseUrl, ISSUER: issuer.origin }
  )
  const settings = Object.fromEntries([...stdout.matchAll(/^(OIDC_\w+)='?(.*?)'?$/gm)].map(([, name, value]) => [name, value]))
  const site = new Hono()
  site.use(initOidcAuthMiddleware({
    ...settings, OIDC_CLIENT_SECRET: /shown only now: (\S+)/.exec(stdout)![1]!, OIDC_AUTH_SECRET: 'x'.repeat(32)
  }))
  site.use(async (context, next) => {
    // As its README says: only sub and email are kept otherwise.
    context.set('oidcClaimsHook', async (_, claims) => ({ sub: claims!.sub, email: String(claims!.email), name: String(claims!.name) }))
    await next()
  })
  site.use(oidcAuthMiddleware())
  site.get('/', async context => context.json(await getAuth(context)))

  const cookies = new Map<string, string>()
  const visit = async (path: string) => {
    const cookie = [...cookies].map(pair => pair.join('=')).join('; ')
    const response = await site.fetch(new Request(new URL(path, ORIGIN), { headers: { cookie } }))
    for (const line of response.headers.getSetCookie()) cookies.set(line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1).split(';')[0]!)
    return response
  }
  const sent = await visit('/')
  t.equal(sent.status, 302)
  const returned = await allow(new URL(sent.headers.get('location')!))
  t.equal((await visit(returned.href)).status, 302)
  const ann = (await stores.users.find('ann'))!
  t.match(await (await visit('/')).json(), { sub: ann.id, name: 'Ann Example', email: 'ann@example.com' })
})
