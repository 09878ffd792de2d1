import t from 'tap'
import { parse as parseYaml } from 'yaml'
import { filesBelow, read } from '../support/sources.js'
import { folder, manifests, parse, type Manifest } from '../support/deployment/manifests.js'
import { mistakes } from '../support/deployment/schema.js'
import { services, settingsOf } from '../support/deployment/settings.js'

const all = manifests()
const named = (kind: string, name: string) => all.find(it => it.kind === kind && it.metadata.name === name)
/** Every value below a key of that name, anywhere in an object. */
const valuesOf = (key: string, it: unknown): unknown[] => it instanceof Object
  ? Object.entries(it).flatMap(([name, value]) => [...(name === key ? [value] : []), ...valuesOf(key, value)])
  : []

/** What the tests look at in a Deployment. */
interface Pods {
  selector: { matchLabels: Record<string, string> }
  template: {
    metadata: { labels: Record<string, string> }
    spec: { terminationGracePeriodSeconds: number, containers: Array<{ image: string, ports: Array<{ name: string }> }> }
  }
}
// as: the test of the schema holds every Deployment to its API, and these fields are there.
const podsOf = (name: string) => named('Deployment', name)?.spec as Pods
const fits = (selector: unknown, name: string) =>
  Object.entries(selector as Record<string, string>).every(([label, value]) => podsOf(name).template.metadata.labels[label] === value)

await t.test('every manifest is one that Kubernetes takes, by its own schemas', async t => {
  t.ok(all.length > 12, `${all.length} objects`)
  t.same(await mistakes(all.map(({ file, ...object }) => object)), [])
})

await t.test('a misspelt field, a wrong type, a missing field and an unknown kind are found', async t => {
  const deployment = read(folder, 'auth-server.yaml').split('---')[0]!
  const broken: Array<[from: RegExp | string, to: string, finding: RegExp]> = [
    ['readinessProbe', 'readynessProbe', /'"readynessProbe"' does not exist/],
    ['readOnlyRootFilesystem', 'readonlyRootFilesystem', /'"readonlyRootFilesystem"' does not exist/],
    ['periodSeconds: 10', "periodSeconds: '10'", /periodSeconds must be integer/],
    ['containerPort: 3000', 'containerport: 3000', /containerPort/],
    [/ {2}selector:\n.*\n/, '', /selector/],
    ['apps/v1', 'apps/v9', /Deployment: not a kind of apps\/v9/]
  ]
  const texts = broken.map(([from, to]) => deployment.replace(from, to))
  t.notOk(texts.includes(deployment))
  const found = await mistakes(texts.flatMap((text, n) => parse(text.replace('name: auth-server', `name: broken-${n}`))))
  for (const [n, [, , finding]] of broken.entries()) {
    const own = found.filter(sentence => sentence.includes(`broken-${n}`) || sentence.includes('not a kind'))
    t.match(own.join('\n'), finding)
  }
})

await t.test('kustomization.yaml applies every manifest but the example of the secrets', async t => {
  // as: the file is there, in the shape of Kustomize.
  const { resources } = parseYaml(read(folder, 'kustomization.yaml')) as { resources: string[] }
  const files = filesBelow(folder).filter(file => file.endsWith('.yaml'))
  t.same(resources.toSorted(), files.filter(file => !['kustomization.yaml', 'secrets.example.yaml'].includes(file)).sort())
})

for (const service of services) {
  await t.test(`${service}: what refers to something refers to what is there`, async t => {
    const pods = podsOf(service)
    t.ok(fits(pods.selector.matchLabels, service), 'the Deployment selects its own pods')
    for (const kind of ['Service', 'PodDisruptionBudget', 'NetworkPolicy', 'HorizontalPodAutoscaler']) t.ok(named(kind, service), kind)
    const [selector] = valuesOf('selector', named('Service', service))
    t.ok(fits(selector, service), 'the Service selects the pods')
    for (const labels of valuesOf(
      'matchLabels',
      named('PodDisruptionBudget', service)
    )) t.ok(fits(labels, service), 'so does the PodDisruptionBudget')
    t.match(
      valuesOf('scaleTargetRef', named('HorizontalPodAutoscaler', service)),
      [{ kind: 'Deployment', name: service, apiVersion: 'apps/v1' }]
    )

    const [container] = pods.template.spec.containers
    const ports = container!.ports.map(({ name }) => name)
    const used = [
      ...valuesOf('port', valuesOf('httpGet', pods)), ...valuesOf('targetPort', named('Service', service)),
      ...valuesOf('port', named('NetworkPolicy', service)?.spec)
    ]
    t.ok(used.length >= 5)
    t.same(used.filter(port => !ports.includes(`${port}`)), [], 'every port has a name that the container gives')
    t.ok(
      read('deploy/kubernetes/kustomization.yaml').includes(`- name: ${container!.image}\n`),
      'the image is one that kustomization.yaml names'
    )
  })

  await t.test(`${service}: every variable is a setting of the service, and its ConfigMap and Secret are there`, async t => {
    const settings = await settingsOf(service)
    const references = [...valuesOf('configMapRef', podsOf(service)), ...valuesOf('secretRef', podsOf(service))]
    // The desk has no secrets.
    t.same(references, service === 'desk' ? [{ name: service }] : [{ name: service }, { name: service }])
    const given = { ...named('ConfigMap', service)?.data, ...named('Secret', service)?.stringData }
    t.ok(Object.keys(given).length >= 5)
    t.same(Object.keys(given).filter(name => !settings.includes(name)), [])
  })
}

await t.test('the Ingress limits neither size nor time of an import, at controllers that have a limit', async t => {
  t.match(named('Ingress', 'frontdesk')?.metadata, {
    annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '0', 'nginx.ingress.kubernetes.io/proxy-request-buffering': 'off' }
  })
  t.match(read(folder, 'README.md'), 'readTimeout=0')
})

await t.test('the addresses fit together', async t => {
  // as: the tests above found them.
  const { data: auth } = named('ConfigMap', 'auth-server') as Required<Manifest>
  const { data: customers } = named('ConfigMap', 'customer-service') as Required<Manifest>
  const { data: desk } = named('ConfigMap', 'desk') as Required<Manifest>
  t.equal(auth.ISSUER, customers.ISSUER)
  t.match(desk, { ISSUER: auth.ISSUER, CUSTOMER_URL: customers.SERVICE_ROOT })
  t.equal(auth.DEFAULT_AUDIENCE, customers.AUDIENCE)
  t.equal(customers.JWKS_URL, 'http://auth-server/.well-known/jwks.json')
  const hosts = valuesOf('host', named('Ingress', 'frontdesk'))
  t.same(hosts, [auth.ISSUER, auth.DEFAULT_AUDIENCE, customers.CORS_ORIGINS].map(address => new URL(address!).host))
  t.same(valuesOf('hosts', named('Ingress', 'frontdesk')).flat(), hosts)
  for (const { service } of valuesOf('backend', named('Ingress', 'frontdesk')) as Array<{ service: { name: string, port: object } }>) {
    t.match(named('Service', service.name)?.spec, { ports: [service.port] })
  }
})
