/** The code of one operation: curl's arguments, the use of the client library, and Python after its imports. */
export interface Code { curl: string, javascript: string, python: string }

/** The code of operations on many customers. @param home URL of the customers */
export function samplesOfMany (home: string): Record<string, Code> {
  return {
    exportCustomers: {
      curl: `${home}/export -H 'Accept: application/x-ndjson'`,
      javascript: `for await (const part of await customers.export('application/x-ndjson')) {
  console.log(part.length)
}`,
      python: `headers["Accept"] = "application/x-ndjson"
with urlopen(Request("${home}/export", None, headers)) as answer:
    for line in answer:
        print(json.loads(line))`
    },
    importCustomers: {
      curl: `'${home}/import?dry_run=true' \\
  -H 'Content-Type: text/csv' --data-binary $'number,name,age,address\\n4712,charitha,33,piliyandala\\n'`,
      javascript: `const answer = await fetch('${home}/import?dry_run=true', {
  method: 'POST',
  headers: { 'Content-Type': 'text/csv', Authorization: \`Bearer \${env.TOKEN}\` },
  body: 'number,name,age,address\\n4712,charitha,33,piliyandala\\n'
})
console.log(await answer.json())`,
      python: `headers["Content-Type"] = "text/csv"
body = "number,name,age,address\\n4712,charitha,33,piliyandala\\n".encode()
with urlopen(Request("${home}/import?dry_run=true", body, headers)) as answer:
    print(json.load(answer))`
    },
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
