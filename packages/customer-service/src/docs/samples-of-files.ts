import type { Code } from './samples-of-many.js'

/** The code of operations with files. @param home URL of the customers */
export function samplesOfFiles (home: string): Record<string, Code> {
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
    previewImport: {
      curl: `${home}/import/preview \\
  -H 'Content-Type: text/csv' --data-binary $'no,full name,age,address\\n4712,charitha,33,piliyandala\\n'`,
      javascript: `const { headings, mapping } = await customers.previewImport('no,full name,age,address\\n', 'text/csv')
console.log(headings, mapping)`,
      python: `headers["Content-Type"] = "text/csv"
body = "no,full name,age,address\\n4712,charitha,33,piliyandala\\n".encode()
with urlopen(Request("${home}/import/preview", body, headers)) as answer:
    print(json.load(answer))`
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
    }
  }
}
