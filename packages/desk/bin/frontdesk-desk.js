#!/usr/bin/env node
await import('../dist/bundle/server.js')
