// Loaded before the prisma command: package.json leaves out its local server and its user interface, half of its size.
const Module = require('node:module')

const load = Module._load
Module._load = (name, ...rest) => /^@prisma\/(dev|studio-core)(\/|$)/.test(name) ? {} : load(name, ...rest)
