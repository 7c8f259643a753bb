// Our imports name the exact file ('./pages.ts'). Node still looks at every folder on the way to it, and for a
// package.json above it, which takes a fifth of the time for loading the server. Must be loaded before our own modules.
import module from 'node:module'

module.registerHooks({
  resolve(specifier, context, next) {
    const namesAFile = specifier.startsWith('.') && specifier.endsWith('.ts')
    if (!namesAFile) return next(specifier, context)
    return { url: new URL(specifier, context.parentURL).href, format: 'module-typescript', shortCircuit: true }
  },
})
