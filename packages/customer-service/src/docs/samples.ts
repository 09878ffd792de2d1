import { samplesOfFiles } from './samples-of-files.js'
import { samplesOfMany, type Code } from './samples-of-many.js'

/** An entry of an operation's `x-codeSamples`, which API references show. */
export interface Sample { lang: 'Shell' | 'JavaScript' | 'Python', label: string, source: string }

/** Creates the samples of each operation on customers, by `operationId`. @param url of this service */
export function createSamples (url: string): Record<string, Sample[]> {
  const home = `${url}/rest/qa/customer`
  return Object.fromEntries(Object.entries(operations(home)).map(([operation, code]) => [operation, write(url, code)]))
}

function write (url: string, { curl, javascript, python }: Code): Sample[] {
  return [{
    lang: 'Shell',
    label: 'curl',
    // On standard input, because other users of the machine can see curl's arguments.
    source: `printf 'Authorization: Bearer %s' "$TOKEN" | curl -i -H @- ${curl}`
  }, {
    lang: 'JavaScript',
    label: 'JavaScript',
    source: `import { CustomerClient } from '@frontdesk/customer-client'
import { env } from 'node:process'

const customers = new CustomerClient({ url: '${url}', token: env.TOKEN })
${javascript}`
  }, {
    lang: 'Python',
    label: 'Python',
    source: `import json, os, time, uuid
from urllib.parse import urlencode
from urllib.request import Request, urlopen

headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
${python}`
  }]
}

function operations (home: string): Record<string, Code> {
  const one = `${home}/4711`
  return {
    ...samplesOfFiles(home),
    ...samplesOfMany(home),
    registerCustomer: {
      curl: `${home} \\
  -H "Idempotency-Key: add-4711-$(date +%s)" \\
  -d customerid=4711 -d customerage=33 \\
  --data-urlencode customername=charitha --data-urlencode customeraddress=piliyandala`,
      javascript: `const { etag } = await customers.register({
  customerid: 4711, customername: 'charitha', customerage: 33, customeraddress: 'piliyandala'
})
console.log(etag)`,
      python: `customer = {"customerid": 4711, "customername": "charitha", "customerage": 33, "customeraddress": "piliyandala"}
headers["Idempotency-Key"] = str(uuid.uuid4())
with urlopen(Request("${home}", urlencode(customer).encode(), headers)) as answer:
    print(answer.status, answer.headers["ETag"])`
    },
    readCustomer: {
      curl: `-H 'Accept: application/json' ${one}`,
      javascript: `const { customername, customerage, etag } = await customers.read(4711)
console.log(customername, customerage, etag)`,
      python: `with urlopen(Request("${one}", headers={**headers, "Accept": "application/json"})) as answer:
    print(json.load(answer), answer.headers["ETag"])`
    },
    listCustomerHistory: {
      curl: `${one}/history`,
      javascript: `const answer = await fetch('${one}/history', { headers: { Authorization: \`Bearer \${env.TOKEN}\` } })
for (const { at, kind, sub } of (await answer.json()).items) console.log(at, kind, sub)`,
      python: `with urlopen(Request("${one}/history", headers=headers)) as answer:
    for change in json.load(answer)["items"]:
        print(change["at"], change["kind"], change["sub"])`
    },
    patchCustomer: {
      curl: `-X PATCH ${one} \\
  -H 'Content-Type: application/merge-patch+json' -d '{"customeraddress":"colombo"}'`,
      javascript: `const { etag } = await customers.read(4711)
await customers.change(4711, { customeraddress: 'colombo' }, { ifMatch: etag })`,
      python: `headers["Content-Type"] = "application/merge-patch+json"
body = json.dumps({"customeraddress": "colombo"}).encode()
with urlopen(Request("${one}", body, headers, method="PATCH")) as answer:
    print(answer.status)`
    },
    changeAddressByName: {
      curl: `-X PUT ${home} \\
  --data-urlencode customername=charitha --data-urlencode customeraddress=galle`,
      javascript: "await customers.move({ customername: 'charitha', customeraddress: 'galle' })",
      python: `body = urlencode({"customername": "charitha", "customeraddress": "galle"}).encode()
with urlopen(Request("${home}", body, headers, method="PUT")) as answer:
    print(answer.status)`
    },
    replaceCustomer: {
      curl: `-X PUT ${one} \\
  -H 'Content-Type: application/json' \\
  -d '{"customername":"charitha","customerage":34,"customeraddress":"kandy"}'`,
      javascript: `const { etag } = await customers.read(4711)
await customers.replace(4711, { customername: 'charitha', customerage: 34, customeraddress: 'kandy' }, { ifMatch: etag })`,
      python: `headers["Content-Type"] = "application/json"
body = json.dumps({"customername": "charitha", "customerage": 34, "customeraddress": "kandy"}).encode()
with urlopen(Request("${one}", body, headers, method="PUT")) as answer:
    print(answer.status)`
    },
    removeCustomer: {
      curl: `-X DELETE ${one}`,
      javascript: `const { etag } = await customers.read(4711)
await customers.remove(4711, { ifMatch: etag })`,
      python: `with urlopen(Request("${one}", headers=headers, method="DELETE")) as answer:
    print(answer.status)`
    },
    listRemovedCustomers: {
      curl: `'${home}/removed?q=char'`,
      javascript: `const { items } = await customers.removed({ q: 'char' })
for (const { customerid, customername, at } of items) console.log(customerid, customername, at)`,
      python: `with urlopen(Request("${home}/removed?q=char", headers=headers)) as answer:
    for customer in json.load(answer)["items"]:
        print(customer["customerid"], customer["customername"], customer["at"])`
    },
    exportCustomer: {
      curl: `${one}/export`,
      javascript: `const { customer, history } = await customers.exportOne(4711)
console.log(customer, history.length)`,
      python: `with urlopen(Request("${one}/export", headers=headers)) as answer:
    print(json.load(answer))`
    },
    restoreCustomer: {
      curl: `-X POST "${one}/history/$(
  printf 'Authorization: Bearer %s' "$TOKEN" | curl -s -H @- '${one}/history?limit=1' | grep -oE '[0-9]+' | head -n 1
)/restore"`,
      javascript: `const { items } = await customers.history(4711, { limit: 1 })
await customers.restore(4711, items[0].version)`,
      python: `with urlopen(Request("${one}/history?limit=1", headers=headers)) as answer:
    version = json.load(answer)["items"][0]["version"]
with urlopen(Request(f"${one}/history/{version}/restore", headers=headers, method="POST")) as answer:
    print(answer.status)`
    },
    eraseCustomer: {
      curl: `-X POST ${one}/erase`,
      javascript: `const { erasedAt, removed } = await customers.erase(4711)
console.log(erasedAt, removed.changes)`,
      python: `with urlopen(Request("${one}/erase", headers=headers, method="POST")) as answer:
    print(json.load(answer))`
    }
  }
}
