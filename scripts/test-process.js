// Runs test files in one process, each as a test of its own: loading a service's modules takes longer than most files' tests.
// Argument: the time limit of a file, in seconds. Each line of standard input is a file, as JSON: [name, path].
import asyncHooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// V8 waits seven times longer before it optimizes a function: most functions run too rarely in tests for that to pay off.
// Set here because Node.js 26 does not know the flag and would refuse it on the command line.
setFlagsFromString('--interrupt-budget=1000000')

// tap tracks every promise to attribute stray errors to a test, which takes a seventh of the CPU time of the packages' tests.
// Without that, a stray error ends the process, and with it the file.
const { createHook } = asyncHooks
const noHook = { enable: () => noHook, disable: () => noHook }
setCreateHook(() => noHook)
const { default: t } = await import('tap')
setCreateHook(createHook)

const timeout = Number(process.argv[2]) * 1_000
const test = t.test.bind(t)

// The runner closes the input after the last file. If it does so earlier, it was killed, and tap waits forever for its reader.
let isRunning = false
process.stdin.once('end', () => { if (isRunning) process.exit(1) })

// Only files have a time limit.
t.setTimeout(0)
for await (const line of createInterface(process.stdin)) {
  isRunning = true
  const [name, path] = JSON.parse(line)
  await test(name, { timeout }, async file => {
    // Test files import `t` and add their tests to it.
    t.test = file.test.bind(file)
    t.teardown = file.teardown.bind(file)
    Object.defineProperty(t, 'jobs', { configurable: true, get: () => file.jobs, set: jobs => { file.jobs = jobs } })
    await import(pathToFileURL(resolve(path)).href)
  })
  // tap buffers its output while the pipe is full.
  while (t.bufferLength > 0) await setImmediate()
  isRunning = false
  console.log(`# Ended: ${name}`)
}

function setCreateHook (value) {
  asyncHooks.createHook = value
  syncBuiltinESMExports()
}
