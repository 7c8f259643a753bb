#!/usr/bin/env node
import { run } from './runtime.js'

await run('src/main.ts')
