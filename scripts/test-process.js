// Runs test files one after the other in this process, each as a test of its own: loading the modules of a service takes
// longer than most files need for their tests. Arguments: seconds that a file may take, then a name and a path of each.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'

const [seconds, ...namesAndPaths] = process.argv.slice(2)
const timeout = Number(seconds) * 1_000
const test = t.test.bind(t)

t.setTimeout(timeout * namesAndPaths.length / 2)
for (let i = 0; i < namesAndPaths.length; i += 2) {
  console.log(`# File: ${namesAndPaths[i]}`)
  await test(namesAndPaths[i], { timeout }, async file => {
    // A test file imports this `t` and adds its tests to it.
    t.test = file.test.bind(file)
    t.teardown = file.teardown.bind(file)
    await import(pathToFileURL(resolve(namesAndPaths[i + 1])).href)
  })
}
