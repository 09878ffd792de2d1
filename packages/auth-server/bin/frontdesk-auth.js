#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'

// Without it, V8 compiles Prisma's WebAssembly twice, the second time in vain: a third of the time of a command.
// A server runs longer than the second time takes.
if (process.argv[2] !== 'serve') setFlagsFromString('--liftoff-only')
await import('../dist/bundle/cli.js')
