// Loaded before Node's test runner. To find out which test a call of `after` or a stray error belongs to, the runner
// hooks into the creation of every promise. In a test process that sends thousands of requests to a server, that takes
// a quarter of the time. AsyncLocalStorage provides the same at no cost. So it is used to find the tests, and the hook
// is never installed.
import hooks, { AsyncLocalStorage, AsyncResource, type HookCallbacks } from 'node:async_hooks'

type InScope = (
  this: AsyncResource,
  run: (...args: unknown[]) => unknown,
  self?: unknown,
  ...args: unknown[]
) => unknown

const { createHook, executionAsyncId } = hooks
const inScope = Reflect.get(AsyncResource.prototype, 'runInAsyncScope') as InScope
const running = new AsyncLocalStorage<number>()
let runner: HookCallbacks | undefined

Object.assign(hooks, {
  createHook(callbacks: HookCallbacks) {
    if (!new Error().stack?.includes('internal/test_runner')) return createHook(callbacks)
    runner = callbacks
    return { enable() {}, disable() {} }
  },
  executionAsyncId: () => running.getStore() ?? executionAsyncId(),
})

const runInAsyncScope: InScope = function (run, self, ...args) {
  const isTest = 'createSubtest' in this
  if (!isTest) return inScope.call(this, run, self, ...args)
  const id = this.asyncId()
  runner?.init?.(id, 'Test', 0, this)
  return inScope.call(this, () => running.run(id, () => run.apply(self, args)))
}
Object.assign(AsyncResource.prototype, { runInAsyncScope })
