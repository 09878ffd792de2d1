// Runs test files one after the other in this process, each as a test of its own: loading the modules of a service takes
// longer than most files need for their tests. Argument: seconds that a file may take. Each line of the input is a file, as
// JSON: its name and its path.
import asyncHooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// V8 waits seven times longer until it optimizes a function: most functions of a test run too rarely for that to pay. Set here,
// since as an option of node it would keep Node.js 26, which does not know it, from starting.
setFlagsFromString('--interrupt-budget=1000000')

// tap follows every promise, to find the test that an error outside of its function belongs to: a seventh of the CPU of
// the packages' tests. Such an error ends the process instead, and with it the file that it belongs to.
const { createHook } = asyncHooks
const noHook = { enable: () => noHook, disable: () => noHook }
setCreateHook(() => noHook)
const { default: t } = await import('tap')
setCreateHook(createHook)

const timeout = Number(process.argv[2]) * 1_000
const test = t.test.bind(t)

// There is no limit for all of them.
t.setTimeout(0)
for await (const line of createInterface(process.stdin)) {
  const [name, path] = JSON.parse(line)
  await test(name, { timeout }, async file => {
    // A test file imports this `t` and adds its tests to it.
    t.test = file.test.bind(file)
    t.teardown = file.teardown.bind(file)
    await import(pathToFileURL(resolve(path)).href)
  })
  // Not before tap has written what it says of the file: it waits while the pipe is full.
  while (t.bufferLength > 0) await setImmediate()
  console.log(`# Ended: ${name}`)
}

function setCreateHook (value) {
  asyncHooks.createHook = value
  syncBuiltinESMExports()
}
