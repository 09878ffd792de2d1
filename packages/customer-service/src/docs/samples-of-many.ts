/** The code of one operation: curl's arguments, the use of the client library, and Python after its imports. */
export interface Code { curl: string, javascript: string, python: string }

/** The code of operations on many customers. @param home URL of the customers */
export function samplesOfMany (home: string): Record<string, Code> {
  return {
    listCustomers: {
      curl: `'${home}?name_prefix=char&sort=name'`,
      javascript: `for await (const { customerid, customername } of customers.list({ name_prefix: 'char', sort: 'name' })) {
  console.log(customerid, customername)
}`,
      python: `query = {"name_prefix": "char", "sort": "name"}
while query:
    with urlopen(Request(f"${home}?{urlencode(query)}", headers=headers)) as answer:
        page = json.load(answer)
    for customer in page["items"]:
        print(customer["customerid"], customer["customername"])
    query = {**query, "cursor": page["next"]} if "next" in page else None`
    },
    listCustomerEvents: {
      curl: `'${home}/events?limit=10'`,
      javascript: `for await (const { id, type, subject } of customers.events()) {
  console.log(id, type, subject)
  break // or follow the changes without end
}`,
      python: `with urlopen(Request("${home}/events?limit=10", headers=headers)) as answer:
    page = json.load(answer)
for event in page["events"]:
    print(event["id"], event["type"], event["subject"])`
    },
    changeCustomers: {
      curl: `${home}/bulk?dry_run=true \\
  -H 'Content-Type: application/json' -d '{"change":{"customeraddress":"colombo"},"customers":[4711,4712]}'`,
      javascript: `const { changed, failed } = await customers.bulk({ change: { customeraddress: 'colombo' }, customers: [4711, 4712] })
console.log(changed, failed)`,
      python: `headers["Content-Type"] = "application/json"
body = json.dumps({"change": {"customeraddress": "colombo"}, "customers": [4711, 4712]}).encode()
with urlopen(Request("${home}/bulk?dry_run=true", body, headers)) as answer:
    print(json.load(answer))`
    },
    undoOperation: {
      curl: `-X POST "${home}/operations/$(
  printf 'Authorization: Bearer %s' "$TOKEN" | curl -s -H @- '${home}/operations?limit=1' | grep -oE '[A-Za-z0-9_-]{22}' | head -n 1
)/undo?dry_run=true"`,
      javascript: `const { items } = await customers.operations({ limit: 1 })
const { reverted, skipped } = await customers.undo(items[0].operation, { dryRun: true })
console.log(reverted, skipped)`,
      python: `with urlopen(Request("${home}/operations?limit=1", headers=headers)) as answer:
    operation = json.load(answer)["items"][0]["operation"]
with urlopen(Request(f"${home}/operations/{operation}/undo?dry_run=true", headers=headers, method="POST")) as answer:
    print(json.load(answer))`
    },
    undoApp: {
      curl: `-X POST "${home}/undo?since=$(date -u +%Y-%m-%dT00:00:00Z)&dry_run=true"`,
      javascript: `const since = new Date(new Date().setUTCHours(0, 0, 0, 0)).toISOString()
const answer = await fetch(\`${home}/undo?since=\${since}&dry_run=true\`, {
  method: 'POST', headers: { Authorization: \`Bearer \${env.TOKEN}\` }
})
console.log(await answer.json())`,
      python: `query = urlencode({"since": time.strftime("%Y-%m-%dT00:00:00Z", time.gmtime()), "dry_run": "true"})
with urlopen(Request(f"${home}/undo?{query}", headers=headers, method="POST")) as answer:
    print(json.load(answer))`
    },
    listDuplicates: {
      curl: `${home}/duplicates`,
      javascript: `const { items } = await customers.duplicates()
for (const { customers: [one, other], similar } of items) console.log(one.customerid, other.customerid, similar)`,
      python: `with urlopen(Request("${home}/duplicates", headers=headers)) as answer:
    for pair in json.load(answer)["items"]:
        print([customer["customerid"] for customer in pair["customers"]], pair["similar"])`
    },
    dismissDuplicate: {
      curl: `${home}/duplicates/dismiss \\
  -H 'Content-Type: application/json' -d '{"customers":[4711,4712]}'`,
      javascript: 'await customers.dismissDuplicate(4711, 4712)',
      python: `headers["Content-Type"] = "application/json"
body = json.dumps({"customers": [4711, 4712]}).encode()
with urlopen(Request("${home}/duplicates/dismiss", body, headers)) as answer:
    print(answer.status)`
    },
    mergeCustomer: {
      curl: `${home}/4711/merge \\
  -H 'Content-Type: application/json' -d '{"from":4712}'`,
      javascript: `const { etag } = await customers.merge(4711, { from: 4712 })
console.log(etag)`,
      python: `headers["Content-Type"] = "application/json"
body = json.dumps({"from": 4712}).encode()
with urlopen(Request("${home}/4711/merge", body, headers)) as answer:
    print(json.load(answer)["etag"])`
    },
    listOperations: {
      curl: `${home}/operations`,
      javascript: `const { items } = await customers.operations()
for (const { at, kind, customers } of items) console.log(at, kind, customers)`,
      python: `with urlopen(Request("${home}/operations", headers=headers)) as answer:
    for operation in json.load(answer)["items"]:
        print(operation["at"], operation["kind"], operation["customers"])`
    }
  }
}
